/** A path or URL of the content as an absolute URL; the base itself when it cannot be parsed. */
export const toUrl = (pathOrUrl: string, base: string): string =>
  new URL(URL.canParse(pathOrUrl, base) ? pathOrUrl : '', base).href
