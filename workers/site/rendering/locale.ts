/** The locale of a language code; English for a code that has the form of a BCP 47 tag and is none. */
export function toLocale(code: string): Intl.Locale {
  try {
    return new Intl.Locale(code)
  } catch {
    return new Intl.Locale('en')
  }
}

/** `en_US`, as Open Graph wants it (ogp.me); the likely region where the code has none. */
export function toOpenGraphLocale(code: string): string {
  const { language, region } = toLocale(code).maximize()
  return region ? `${language}_${region}` : language
}
