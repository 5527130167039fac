/** Returns a path or URL as an absolute URL; the base when it cannot be parsed. */
export const toUrl = (pathOrUrl: string, base: string): string =>
  new URL(URL.canParse(pathOrUrl, base) ? pathOrUrl : '', base).href
