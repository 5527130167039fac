/** A path or URL of the content, absolute; what is none after all leads to the base itself. */
export const toUrl = (pathOrUrl: string, base: string): string =>
  new URL(URL.canParse(pathOrUrl, base) ? pathOrUrl : '', base).href
