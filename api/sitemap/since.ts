import * as z from 'zod/mini'
import { parseHttpDate } from '../../http/date.ts'
import { invalid } from '../problem.ts'

const IsoDate = z.iso.date()
const IsoTime = z.iso.datetime({ local: true, offset: true })

/**
 * Parses `since`: RFC 1123, or ISO 8601 with or without a time; without a zone it is UTC.
 * @throws ApiError validation_error
 */
export function parseSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = parseHttpDate(text) ?? parseIso(text)
  if (date) return date
  throw invalid('query', 'since', 'must be an RFC 1123 or an ISO 8601 date')
}

function parseIso(text: string): Date | undefined {
  if (z.safeParse(IsoDate, text).success) return new Date(text)
  if (!z.safeParse(IsoTime, text).success) return undefined
  const date = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(date.getTime()) ? undefined : date
}
