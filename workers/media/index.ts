import type { CacheApi } from './cache/edge-cache.ts'
import type { CreatePipe } from './cache/object-body.ts'
import { createMediaWorker, type Media } from './media.ts'
import type { WaitUntil } from './request/request-trace.ts'

declare const caches: { default: CacheApi }
declare const FixedLengthStream: new (length: number) => ReturnType<CreatePipe>

const RETRIES = { attempts: 3, pauseMs: 100, responseMs: 10_000, chunkMs: 10_000 }

let media: Media | undefined

export default {
  fetch(
    request: Request,
    env: Record<string, unknown>,
    context: { waitUntil: WaitUntil },
  ): Promise<Response> {
    media ??= createMediaWorker(env, {
      cache: caches.default,
      fetch: (request, init) => fetch(request, init),
      createPipe: (length) => new FixedLengthStream(length),
      retries: RETRIES,
      now: Date.now,
      random: Math.random,
      // The console formats an object with inspect(), at ten times the cost of JSON. Workers Logs reads both.
      log: (line) => console[line.level](JSON.stringify(line)),
    })
    return media(request, (work) => context.waitUntil(work))
  },
}
