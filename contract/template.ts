import * as z from 'zod/mini'
import { Document, LanguageCode, Name } from './primitives.ts'

/** Key of a template. A template of type `page` has the path of its page as key, without the first slash. */
export const TemplateKey = z.string().check(z.maxLength(200), z.regex(/^[^\s\\/][^\s\\]*$/))

export const TEMPLATE_TYPES = ['layout', 'page', 'partial'] as const
export type TemplateType = (typeof TEMPLATE_TYPES)[number]

/** Origins of a template's source, lowest precedence first: the default, a theme's block, a site's override. */
export const TEMPLATE_ORIGINS = ['element', 'block', 'override'] as const
export type TemplateOrigin = (typeof TEMPLATE_ORIGINS)[number]

const TemplateSource = z.strictObject({
  origin: z.enum(TEMPLATE_ORIGINS),
  source: Document,
})

/**
 * A template of one site after precedence is applied, one per key and language. `language` null applies to languages
 * without a template of the same key. `fallbacks` are the sources of lower precedence, highest first; the next one is
 * used when a source cannot be parsed or rendered.
 */
export const ResolvedTemplate = z.strictObject({
  key: TemplateKey,
  type: z.enum(TEMPLATE_TYPES),
  title: Name,
  language: z.nullable(LanguageCode),
  ...TemplateSource.shape,
  fallbacks: z.array(TemplateSource),
})
export type ResolvedTemplate = z.infer<typeof ResolvedTemplate>
