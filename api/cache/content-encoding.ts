const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

const MIN_ENCODED_BYTES = 1024
const MAX_IDENTITY_BYTES = 1024 * 1024

/**
 * Selects the coding for a body of `length` bytes: the one with the highest weight in Accept-Encoding (RFC 9110
 * §12.5.3), `br` before `gzip` for equal weights. Without the header, bodies over 1 MiB get gzip. Undefined means no
 * coding, also for bodies under 1 KiB.
 */
export function decideCoding(header: string | undefined, length: number): Coding | undefined {
  if (header === undefined) return length > MAX_IDENTITY_BYTES ? 'gzip' : undefined
  if (length < MIN_ENCODED_BYTES || !header) return undefined
  const weights = new Map(header.toLowerCase().split(',').map(parseElement))
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0
  const [best] = CODINGS.filter((coding) => weightOf(coding) > 0).sort(
    (one, other) => weightOf(other) - weightOf(one),
  )
  return best
}

function parseElement(element: string): [string, number] {
  const [coding = '', ...parameters] = element.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const value = weight === undefined ? 1 : Number(weight.slice('q='.length))
  return [coding, value >= 0 && value <= 1 ? value : 0]
}
