import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../problem.ts'
import { createKeyCheck } from './api-key.ts'
import type { ApiEnv } from './request-log.ts'

interface AuthDeps {
  keyDigests: readonly string[]
  open?: boolean
}

const OPEN_ALWAYS = ['/healthz']
const OPEN_LOCALLY = ['/healthz', '/readyz', '/openapi.json', '/docs']

/** Requires a key on every path, known or not, except the open ones; then rejects paths that are not UTF-8. */
export function createAuth({ keyDigests, open }: AuthDeps): MiddlewareHandler<ApiEnv> {
  const checkKey = createKeyCheck(keyDigests)
  const openPaths = new Set(open ? OPEN_LOCALLY : OPEN_ALWAYS)
  return async (context, next) => {
    const { path } = context.req
    const isOpen = openPaths.has(path) || (open && path.startsWith('/docs/'))
    if (!isOpen) checkKey(context.req.header('authorization'))
    if (!isReadable(context.req.raw.url))
      throw new ApiError('validation_error', {
        detail: 'The path is not UTF-8 in percent-encoding.',
      })
    await next()
  }
}

function isReadable(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return true
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
