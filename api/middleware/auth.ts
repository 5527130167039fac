import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../problem.ts'
import { createKeyCheck } from './api-key.ts'
import type { ApiEnv } from './request-log.ts'

interface AuthDeps {
  keyDigests: readonly string[]
  isLocal?: boolean
}

const PATHS_WITHOUT_KEY = ['/healthz']
const LOCAL_PATHS_WITHOUT_KEY = ['/healthz', '/readyz', '/openapi.json', '/docs']

/**
 * Creates the middleware that rejects requests without a valid API key (401, also if no endpoint has the path), then
 * requests with an invalid path (400).
 * `/healthz` needs no key; on the local server, `/readyz` and the documentation need none either.
 */
export function createAuth({ keyDigests, isLocal }: AuthDeps): MiddlewareHandler<ApiEnv> {
  const checkKey = createKeyCheck(keyDigests)
  const pathsWithoutKey = new Set(isLocal ? LOCAL_PATHS_WITHOUT_KEY : PATHS_WITHOUT_KEY)
  return async (context, next) => {
    const { path } = context.req
    const needsNoKey = pathsWithoutKey.has(path) || (isLocal && path.startsWith('/docs/'))
    if (!needsNoKey) checkKey(context.req.header('authorization'))
    if (!isValidPath(context.req.raw.url))
      throw new ApiError('validation_error', {
        detail: 'The path is not percent-encoded UTF-8, or contains NUL.',
      })
    await next()
  }
}

function isValidPath(url: string): boolean {
  const [withoutQuery = ''] = url.split('?', 1)
  if (!withoutQuery.includes('%')) return true
  try {
    return !decodeURIComponent(withoutQuery).includes('\0')
  } catch {
    return false
  }
}
