import { isDeepStrictEqual } from 'node:util'
import { requestLocal } from '../../lib/local-request.ts'
import type { CloudflareAccount } from '../cloudflare/account.ts'
import type { EdgeAddress } from './purge.ts'

/**
 * Replaces the code of the running scripts by the code in `to`. Returns false when a script rejects its code,
 * or when the accounts differ in more than code; then workerd must be restarted.
 */
export async function pushCode(
  edge: EdgeAddress,
  from: CloudflareAccount,
  to: CloudflareAccount,
): Promise<boolean> {
  if (!isDeepStrictEqual(withoutCode(from), withoutCode(to))) return false
  const changed = [...to.scripts].filter(
    ([name, { content }]) => content !== from.scripts.get(name)?.content,
  )
  const codes = await transformAll(changed.map(([, { content }]) => content))
  const pushed = changed.map(async ([name, { content }]) => {
    const { status } = await requestLocal(
      `http://127.0.0.1:${edge.port}/?script=${encodeURIComponent(name)}`,
      {
        method: 'POST',
        headers: { 'local-code-token': edge.edgeToken },
        body: codes.get(content) ?? '',
      },
    )
    return status === 204
  })
  return (await Promise.all(pushed)).every(Boolean)
}

/** Converts ES modules to CommonJS; returns the code by module. */
async function transformAll(contents: readonly string[]): Promise<Map<string, string>> {
  // Imported lazily: only watch mode needs it.
  const { transform } = await import('esbuild')
  const transformed = [...new Set(contents)].map(async (content): Promise<[string, string]> => {
    const { code } = await transform(content, { format: 'cjs', logLevel: 'silent' })
    return [content, code]
  })
  return new Map(await Promise.all(transformed))
}

function withoutCode({ scripts, ...rest }: CloudflareAccount): object {
  return {
    ...rest,
    scripts: [...scripts].map(([name, script]) => [name, { ...script, content: '' }]),
  }
}
