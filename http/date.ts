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

/** An HTTP-date as an instant in whole seconds; undefined when it is not valid (RFC 9110 §5.6.7). */
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
  const real = date.getUTCMonth() === month && Number(hour) < 24 && Number(minute) < 60
  date.setUTCHours(Number(hour), Number(minute), Number(second))
  return real && Number(second) <= 60 ? date : undefined
}

/** An instant as IMF-fixdate, the one form a sender may use (RFC 9110 §5.6.7). */
export function toHttpDate(date: Date): string {
  return date.toUTCString()
}

// RFC 9110 §5.6.7: two digits that seem more than 50 years ahead mean the last such year in the past.
function toFullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits)
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + Number(digits)
  return year > thisYear + 50 ? year - 100 : year
}
