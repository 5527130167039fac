import * as z from 'zod/mini'
import { LanguageCode } from './primitives.ts'

export const TEMPLATE_TYPES = ['layout', 'page', 'partial'] as const
export type TemplateType = (typeof TEMPLATE_TYPES)[number]

/** Where a template's source comes from, weakest first: element default < theme's block < site's override. */
export const TEMPLATE_ORIGINS = ['element', 'block', 'override'] as const
export type TemplateOrigin = (typeof TEMPLATE_ORIGINS)[number]

const TemplateSource = z.strictObject({
  origin: z.enum(TEMPLATE_ORIGINS),
  source: z.string(),
})

/**
 * A template as it applies to one site: one entry per key and language (`null`: every language without one of its own).
 * `fallbacks` are the weaker sources, strongest first, for a source that does not parse or throws.
 */
export const ResolvedTemplate = z.strictObject({
  key: z.string(),
  type: z.enum(TEMPLATE_TYPES),
  title: z.string(),
  language: z.nullable(LanguageCode),
  ...TemplateSource.shape,
  fallbacks: z.array(TemplateSource),
})
export type ResolvedTemplate = z.infer<typeof ResolvedTemplate>
