import {
  toArticleSegments,
  toAuthorSegments,
  toCategorySegments,
  toHomeSegments,
} from '../../contract/paths.ts'
import { toPath } from '../../http/path.ts'
import type { SiteState } from '../site/resolve.ts'

type DefaultLanguage = Pick<SiteState, 'defaultLanguage'>

export const toHomePath = (language: string, { defaultLanguage }: DefaultLanguage): string =>
  toPath(toHomeSegments({ language, defaultLanguage }))

export const toArticlePath = (
  slug: string,
  language: string,
  { defaultLanguage }: DefaultLanguage,
): string => toPath(toArticleSegments(slug, { language, defaultLanguage }))

export const toCategoryPath = (
  slug: string,
  language: string,
  { defaultLanguage }: DefaultLanguage,
): string => toPath(toCategorySegments(slug, { language, defaultLanguage }))

export const toAuthorPath = (
  slug: string,
  language: string,
  { defaultLanguage }: DefaultLanguage,
): string => toPath(toAuthorSegments(slug, { language, defaultLanguage }))
