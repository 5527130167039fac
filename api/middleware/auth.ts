import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../problem.ts'
import { createKeyCheck } from './api-key.ts'
import type { ApiEnv } from './request-log.ts'

interface AuthDeps {
  keyDigests: readonly string[]
  isLocal?: boolean
}

const OPEN_ALWAYS = ['/healthz']
const OPEN_LOCALLY = ['/healthz', '/readyz', '/openapi.json', '/docs']

/**
 * Creates the middleware that requires an API key on all paths except the open ones, also on paths without an endpoint.
 * It then rejects paths that are not UTF-8.
 */
export function createAuth({ keyDigests, isLocal }: AuthDeps): MiddlewareHandler<ApiEnv> {
  const checkKey = createKeyCheck(keyDigests)
  const openPaths = new Set(isLocal ? OPEN_LOCALLY : OPEN_ALWAYS)
  return async (context, next) => {
    const { path } = context.req
    const isOpen = openPaths.has(path) || (isLocal && path.startsWith('/docs/'))
    if (!isOpen) checkKey(context.req.header('authorization'))
    if (!isUtf8(context.req.raw.url))
      throw new ApiError('validation_error', {
        detail: 'The path is not UTF-8 in percent-encoding.',
      })
    await next()
  }
}

function isUtf8(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return true
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
