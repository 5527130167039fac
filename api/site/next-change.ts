import type { SiteState } from './resolve.ts'

/** The next instant at which an article becomes visible by itself, as a header; empty when none is scheduled. */
export function toNextChangeHeader({ nextChange }: SiteState): Record<string, string> {
  return nextChange ? { 'cms-next-change': nextChange.toISOString() } : {}
}
