import type { SiteState } from './resolve.ts'

/** Creates the header with the instant at which the next scheduled article becomes visible, if there is one. */
export function toNextChangeHeader({ nextChange }: SiteState): Record<string, string> {
  return nextChange ? { 'cms-next-change': nextChange.toISOString() } : {}
}
