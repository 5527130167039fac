import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Makes every workerd that Miniflare starts later discard its log lines. Miniflare would read them line by
 * line in the process that sends the requests, which costs time that is not the worker's.
 */
export function discardLogs(): void {
  const { default: workerd } = createRequire(import.meta.resolve('miniflare'))('workerd')
  process.env.BENCH_WORKERD = workerd
  process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL('discard-logs.sh', import.meta.url))
}
