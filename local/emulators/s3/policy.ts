import * as z from 'zod/mini'

const OneOrMore = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((value) => (typeof value === 'string' ? [value] : value)),
)

/** The part of an IAM policy that the store can enforce; parsing rejects other policies. */
export const Policy = z.object({
  Version: z.literal('2012-10-17'),
  Statement: z.array(
    z.strictObject({
      Sid: z.optional(z.string()),
      Effect: z.enum(['Allow', 'Deny']),
      Action: OneOrMore,
      Resource: OneOrMore,
    }),
  ),
})
export type Policy = z.infer<typeof Policy>

export type Action = 's3:GetObject' | 's3:PutObject' | 's3:DeleteObject' | 's3:ListBucket'

/** Evaluates policies as IAM does: an action needs an Allow, and a Deny overrides every Allow. */
export function isAllowed(policies: readonly Policy[], action: Action, resource: string): boolean {
  const effects = policies
    .flatMap((policy) => policy.Statement)
    .filter(({ Action, Resource }) => {
      const hasAction = Action.some((pattern) =>
        matches(pattern.toLowerCase(), action.toLowerCase()),
      )
      return hasAction && Resource.some((pattern) => matches(pattern, resource))
    })
    .map((statement) => statement.Effect)
  return effects.includes('Allow') && !effects.includes('Deny')
}

function matches(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, 's').test(text)
}
