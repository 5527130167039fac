import * as z from 'zod/mini'
import { parseHttpDate } from '../../http/date.ts'
import { invalid } from '../problem.ts'

const IsoDate = z.iso.date()
const IsoTime = z.iso.datetime({ offset: true })
const ISO_FORM =
  /^(?<date>\d{4}-\d\d-\d\d)(?:[T ](?<minutes>\d\d:\d\d)(?<seconds>:\d\d(?:[.,]\d{1,9})?)?(?<zone>Z|[+ -]\d\d(?::?\d\d)?)?)?$/i

/**
 * Parses `since`: an HTTP-date in any form, also with `UTC`, `UT`, `+0000` or `-0000` in place of `GMT`, or an ISO 8601
 * date with optional time, seconds and zone (by default UTC). A space in place of `+` is accepted, because URL decoding
 * produces it.
 * @throws ApiError validation_error for any other text
 */
export function parseSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = parseHttpDate(text.replace(/ (?:UTC|UT|[+ -]0000)$/, ' GMT')) ?? parseIso(text)
  if (date) return date
  throw invalid('query', 'since', 'must be an RFC 1123 or an ISO 8601 date')
}

function parseIso(text: string): Date | undefined {
  const { date, minutes = '00:00', seconds = ':00', zone = 'Z' } = ISO_FORM.exec(text)?.groups ?? {}
  if (!IsoDate.safeParse(date).success) return undefined
  const instant = `${date}T${minutes}${seconds.replace(',', '.')}${toOffset(zone)}`
  return IsoTime.safeParse(instant).success ? new Date(instant) : undefined
}

function toOffset(zone: string): string {
  if (zone.toUpperCase() === 'Z') return 'Z'
  const sign = zone.startsWith('-') ? '-' : '+'
  return `${sign}${zone.slice(1, 3)}:${zone.slice(3).replace(':', '') || '00'}`
}
