import type { SiteState } from '../site/resolve.ts'

type Languages = Pick<SiteState, 'defaultLanguage'>

/** Where a site shows things: the default language at the root, others below their code. */
export const toHomePath = (language: string, site: Languages): string =>
  language === site.defaultLanguage ? '/' : `/${language}`

export const toArticlePath = (slug: string, language: string, site: Languages): string =>
  `${toPrefix(language, site)}/${encodeURIComponent(slug)}`

export const toCategoryPath = (slug: string, language: string, site: Languages): string =>
  `${toPrefix(language, site)}/category/${encodeURIComponent(slug)}`

export const toAuthorPath = (slug: string, language: string, site: Languages): string =>
  `${toPrefix(language, site)}/author/${encodeURIComponent(slug)}`

const toPrefix = (language: string, site: Languages): string =>
  language === site.defaultLanguage ? '' : `/${language}`
