const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

const SMALLEST_ENCODED = 1024
const LARGE = 1024 * 1024

/**
 * The coding for a body of `length` bytes: the one that Accept-Encoding prefers, ours first among
 * equals (RFC 9110 §12.5.3). Without the header every coding is acceptable, and large bodies get gzip.
 * Undefined means identity.
 */
export function decideCoding(header: string | undefined, length: number): Coding | undefined {
  if (header === undefined) return length > LARGE ? 'gzip' : undefined
  if (length < SMALLEST_ENCODED || !header) return undefined
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
