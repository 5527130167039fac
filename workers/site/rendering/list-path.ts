import { SEGMENTS } from '../../../contract/paths.ts'
import { SITEMAP_PATH } from './route-path.ts'

/** Returns the path of the list with a later page, a month or a part of the sitemap; other paths unchanged. */
export function toListPath(path: string): string {
  if (path.startsWith(`/${SEGMENTS.sitemap}/`)) return SITEMAP_PATH
  // Paths of later pages end in `/after/<cursor>`, paths of months contain `/archive/<year>/<month>`.
  return path.replace(/\/after\/.*|(?<=\/archive)\/.*/, '')
}

/** Returns the prefix that the paths of a list's parts have; undefined for a list without parts in KV. */
export function toPartsPrefix(path: string): string | undefined {
  if (path === SITEMAP_PATH) return `/${SEGMENTS.sitemap}/`
  return path.endsWith('/archive') ? `${path}/` : undefined
}
