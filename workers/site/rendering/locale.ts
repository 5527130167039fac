/** Returns the locale of a language code; English when the code is not a valid BCP 47 tag. */
export function toLocale(code: string): Intl.Locale {
  try {
    return new Intl.Locale(code)
  } catch {
    return new Intl.Locale('en')
  }
}

/** Returns a locale for Open Graph (ogp.me), such as `en_US`. A missing region becomes the most likely one. */
export function toOpenGraphLocale(code: string): string {
  const { language, region } = toLocale(code).maximize()
  return region ? `${language}_${region}` : language
}
