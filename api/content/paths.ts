import {
  toArticleSegments,
  toAuthorSegments,
  toCategorySegments,
  toHomeSegments,
} from '../../contract/paths.ts'
import { toPath } from '../../http/path.ts'
import type { SiteState } from '../site/resolve.ts'

type Languages = Pick<SiteState, 'defaultLanguage'>

export const toHomePath = (language: string, { defaultLanguage }: Languages): string =>
  toPath(toHomeSegments({ language, defaultLanguage }))

export const toArticlePath = (
  slug: string,
  language: string,
  { defaultLanguage }: Languages,
): string => toPath(toArticleSegments(slug, { language, defaultLanguage }))

export const toCategoryPath = (
  slug: string,
  language: string,
  { defaultLanguage }: Languages,
): string => toPath(toCategorySegments(slug, { language, defaultLanguage }))

export const toAuthorPath = (
  slug: string,
  language: string,
  { defaultLanguage }: Languages,
): string => toPath(toAuthorSegments(slug, { language, defaultLanguage }))
