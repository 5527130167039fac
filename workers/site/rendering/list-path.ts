import { SEGMENTS } from '../../../contract/paths.ts'
import { SITEMAP_PATH } from './route-path.ts'

/** The list that a path is a part of (a month, a later page, a part of the sitemap); else the path itself. */
export function toListPath(path: string): string {
  if (path.startsWith(`/${SEGMENTS.sitemap}/`)) return SITEMAP_PATH
  return path.replace(/\/after\/.*|(?<=\/archive)\/.*/, '')
}

/** Prefix of the paths of a list's parts; undefined when the parts are not stored in KV. */
export function toPartsPrefix(path: string): string | undefined {
  if (path === SITEMAP_PATH) return `/${SEGMENTS.sitemap}/`
  return path.endsWith('/archive') ? `${path}/` : undefined
}
