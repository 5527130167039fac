import type { SiteState } from './resolve.ts'

/** Creates the header with the next instant at which a scheduled article becomes visible; empty when there is none. */
export function toNextChangeHeader({ nextChange }: SiteState): Record<string, string> {
  return nextChange ? { 'cms-next-change': nextChange.toISOString() } : {}
}
