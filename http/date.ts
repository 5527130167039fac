const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const DAY = `(?:${DAYS.join('|')})`
const MONTH = `(?<month>${MONTHS.join('|')})`
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})'

// RFC 9110 §5.6.7: a recipient accepts all three forms, and they are case-sensitive.
const FORMS = [
  `${DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `(?:${LONG_DAYS.join('|')}), (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT`,
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`))

/**
 * Parses an HTTP-date, which has whole seconds; undefined when it is invalid (RFC 9110 §5.6.7). The century of a
 * two-digit year depends on `now`, in milliseconds since 1970.
 */
export function parseHttpDate(
  value: string | null | undefined,
  now = Date.now(),
): Date | undefined {
  const parts = FORMS.values()
    .map((form) => form.exec(value ?? '')?.groups)
    .find(Boolean)
  if (!parts) return undefined
  const [day, hour, minute, second] = [parts.day, parts.hour, parts.minute, parts.second].map(
    Number,
  )
  const month = MONTHS.indexOf(parts.month ?? '')
  const date = new Date(0)
  date.setUTCFullYear(toFullYear(parts.year ?? '', now), month, day)
  // 31 February would become a day of March.
  const isDay = date.getUTCMonth() === month
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  date.setUTCHours(Number(hour), Number(minute), Number(second))
  return isDay && isTime ? date : undefined
}

/** Formats an instant as IMF-fixdate, the only form that a sender may use (RFC 9110 §5.6.7). */
export function toHttpDate(date: Date): string {
  return date.toUTCString()
}

// RFC 9110 §5.6.7: a two-digit year that would be more than 50 years ahead is a year of the past century.
function toFullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits)
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + Number(digits)
  return year > thisYear + 50 ? year - 100 : year
}
