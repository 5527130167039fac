import * as z from 'zod/mini'
import { SitePath } from './primitives.ts'

/** Redirect of a path without a page: to another path, or 410 for a page that was deleted. */
export const Redirect = z.union([
  z.strictObject({ to: SitePath, status: z.literal([301, 302]) }),
  z.strictObject({ to: z.null(), status: z.literal(410) }),
])
export type Redirect = z.infer<typeof Redirect>

const RedirectProblem = z.object({ redirect: Redirect })

/** Returns the member `redirect` from the JSON of a 404 problem (RFC 9457 §3.2); undefined if absent or invalid. */
export function parseRedirect(problem: string): Redirect | undefined {
  try {
    return RedirectProblem.safeParse(JSON.parse(problem)).data?.redirect
  } catch {
    return undefined
  }
}
