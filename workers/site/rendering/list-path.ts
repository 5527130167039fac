import { SEGMENTS } from '../../../contract/paths.ts'
import { SITEMAP_PATH } from './route-path.ts'

/** Returns the path of the list that a month, a later page or a sitemap part belongs to; other paths unchanged. */
export function toListPath(path: string): string {
  if (path.startsWith(`/${SEGMENTS.sitemap}/`)) return SITEMAP_PATH
  return path.replace(/\/after\/.*|(?<=\/archive)\/.*/, '')
}

/** Returns the prefix of the paths of a list's parts; undefined when the parts are not stored in KV. */
export function toPartsPrefix(path: string): string | undefined {
  if (path === SITEMAP_PATH) return `/${SEGMENTS.sitemap}/`
  return path.endsWith('/archive') ? `${path}/` : undefined
}
