import type { Context, Liquid } from 'liquidjs'
import type { Image } from '../../../../contract/primitives.ts'
import { toLocale } from '../locale.ts'
import { toUrl } from '../url.ts'

const DATE_STYLES = {
  long: { dateStyle: 'long' },
  medium: { dateStyle: 'medium' },
  full: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  moment: { dateStyle: 'long', timeStyle: 'short' },
  month: { month: 'long', year: 'numeric' },
  day: { day: 'numeric', month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Type of `this` in a filter. */
export interface FilterCall {
  context: Context
}

type DateStyle = keyof typeof DATE_STYLES

const dateFormats = new Map<string, Intl.DateTimeFormat>()

/** Filters that LiquidJS lacks. They read language, time zone and origin from the globals of the page. */
export const FILTERS = {
  /** `{{ instant | local_date: 'long' }}` in the page's language and the site's time zone. */
  local_date(this: FilterCall, value: unknown, style: unknown = 'medium') {
    const { language, time_zone } = globalsOf(this)
    return toLocalDate(
      String(value),
      isDateStyle(style) ? style : 'medium',
      language.code,
      time_zone,
    )
  },
  /** `{{ image | srcset }}`: the variants, and the original if no variant has the same width. */
  srcset(image: Image | null) {
    if (!image) return ''
    const byWidth = new Map([image, ...image.variants].map(({ width, url }) => [width, url]))
    const sizes = [...byWidth].toSorted(([one], [other]) => one - other)
    return sizes.map(([width, url]) => `${url} ${width}w`).join(', ')
  },
  /** `{{ path | absolute }}`: the URL on the site's domain. */
  absolute(this: FilterCall, value: unknown) {
    return toUrl(String(value), globalsOf(this).canonical_origin)
  },
  /** `{{ count | local_number }}` in the page's language. */
  local_number(this: FilterCall, value: unknown) {
    return Number(value).toLocaleString(toLocale(globalsOf(this).language.code).baseName)
  },
} satisfies Record<string, Parameters<Liquid['registerFilter']>[1]>

/** Formats an instant for a language; returns an empty text for an invalid date. */
export function toLocalDate(
  value: string,
  style: DateStyle,
  language: string,
  timeZone: string,
): string {
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime())) return ''
  return getDateFormat(style, language, timeZone).format(instant)
}

interface Globals {
  language: { code: string }
  time_zone: string
  canonical_origin: string
}

function globalsOf(filter: FilterCall): Globals {
  return filter.context.globals as unknown as Globals
}

const isDateStyle = (style: unknown): style is DateStyle =>
  typeof style === 'string' && Object.hasOwn(DATE_STYLES, style)

// Cached, because creating a format takes longer than rendering the item of a list.
function getDateFormat(style: DateStyle, language: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${style} ${timeZone}`
  const cached = dateFormats.get(key)
  if (cached) return cached
  const locale = toLocale(language).baseName
  const options = { ...DATE_STYLES[style], timeZone: toTimeZone(timeZone) }
  const format = new Intl.DateTimeFormat(locale, options)
  dateFormats.set(key, format)
  return format
}

// The database may have a zone that this runtime does not support.
function toTimeZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
