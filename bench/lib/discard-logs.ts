import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Lets every workerd that Miniflare starts from now on discard its log lines. Miniflare
 * reads them one by one, in the process that drives the race: that cost is none of the worker's.
 */
export function discardLogs(): void {
  const { default: workerd } = createRequire(import.meta.resolve('miniflare'))('workerd')
  process.env.BENCH_WORKERD = workerd
  process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL('discard-logs.sh', import.meta.url))
}
