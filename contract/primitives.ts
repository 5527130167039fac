import * as z from 'zod/mini'

/** Instant as ISO 8601 in UTC with `Z` and milliseconds, as `Date.prototype.toISOString` writes it. */
export const Instant = z.iso.datetime({ precision: 3 })
export type Instant = z.infer<typeof Instant>

/** BCP 47 language tag in lower case (RFC 5646 §2.1: language, script, region, variants): `en`, `pt-br`. */
export const LanguageCode = z
  .string()
  .check(
    z.maxLength(35),
    z.regex(
      /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*$/,
      'must be a language tag such as en or pt-br',
    ),
  )
export type LanguageCode = z.infer<typeof LanguageCode>

/** Query parameter for a language tag, in upper or lower case. */
export const LanguageParameter = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => text.toLowerCase()),
  ),
  LanguageCode,
)

/** One path segment: letters and digits of any script in lower case, joined by single hyphens. */
export const Slug = z
  .string()
  .check(z.maxLength(200), z.regex(/^[\p{Ll}\p{Lo}\p{N}\p{M}]+(-[\p{Ll}\p{Lo}\p{N}\p{M}]+)*$/u))
export type Slug = z.infer<typeof Slug>

/** Absolute path on the site: `/`, `/a-slug`, `/de/ein-slug`. It cannot begin with `//`, which would name a host. */
export const SitePath = z.string().check(z.maxLength(1000), z.regex(/^\/(?![/\\])[^\s\\]*$/))
export type SitePath = z.infer<typeof SitePath>

/** Link in content: http(s), or relative to the site; no `javascript:` or other scheme. */
export const Url = z
  .string()
  .check(z.maxLength(2000), z.regex(/^(https?:\/\/[^\s\\]+|\/(?![/\\])[^\s\\]*|#[^\s\\]*)$/i))
export type Url = z.infer<typeof Url>

/**
 * Maximum lengths of text in UTF-16 code units. The database limits the bytes of UTF-8 to the same or smaller numbers.
 * A text never has fewer bytes than code units, so every text that the database accepts is valid.
 */
export const TEXT_LIMITS = { name: 500, line: 2000, text: 20_000, document: 500_000 } as const

/** Name, label or other short text. */
export const Name = z.string().check(z.maxLength(TEXT_LIMITS.name))
/** Title or other text of one line. */
export const Line = z.string().check(z.maxLength(TEXT_LIMITS.line))
/** Text of a few paragraphs. */
export const Text = z.string().check(z.maxLength(TEXT_LIMITS.text))
/** Content of a file or a template, or other long text. */
export const Document = z.string().check(z.maxLength(TEXT_LIMITS.document))

/** Picture below `/cmp-media/`; `width` and `height` are pixels of the original. */
export const Image = z.strictObject({
  url: Url,
  alt: Line,
  width: z.int().check(z.positive()),
  height: z.int().check(z.positive()),
  mime_type: Name,
  caption: z.nullable(Text),
  credit: z.nullable(Name),
  variants: z.array(z.strictObject({ url: Url, width: z.int().check(z.positive()) })),
})
export type Image = z.infer<typeof Image>

/** Database id: 1 to 2^31 − 1. */
export const Id = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
export type Id = z.infer<typeof Id>

/** Creates the schema of a query parameter: a decimal integer from `min` to `max`. */
export function integerParameter(min: number, max: number) {
  const text = z
    .string()
    .check(z.regex(/^(0|[1-9]\d{0,9})$/, `must be an integer ${min} to ${max}`))
  const number = z
    .int()
    .check(z.minimum(min, `must be at least ${min}`), z.maximum(max, `must be at most ${max}`))
  return z
    .pipe(text, z.pipe(z.transform(Number), number))
    .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max })
}
