const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** The coding that an Accept-Encoding takes best, ours first among equals; undefined: as it is (RFC 9110 §12.5.3). */
export function decideCoding(header: string | undefined): Coding | undefined {
  if (!header) return undefined
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
