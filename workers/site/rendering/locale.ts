/** The locale of a language code; English for a code that is not a valid BCP 47 tag. */
export function toLocale(code: string): Intl.Locale {
  try {
    return new Intl.Locale(code)
  } catch {
    return new Intl.Locale('en')
  }
}

/** Locale for Open Graph (ogp.me), such as `en_US`; a code without a region gets the likely one. */
export function toOpenGraphLocale(code: string): string {
  const { language, region } = toLocale(code).maximize()
  return region ? `${language}_${region}` : language
}
