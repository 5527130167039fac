import type { Pipe } from './cache/cache-fill.ts'
import type { EdgeCache } from './cache/edge.ts'
import type { WaitUntil } from './cache/read.ts'
import { parseEnv } from './env.ts'
import { createMedia, type Media } from './media.ts'
import { PATIENCE } from './store/store.ts'

declare const caches: { default: EdgeCache }
declare const FixedLengthStream: new (length: number) => Pipe
declare const IdentityTransformStream: new () => Pipe

let media: Media | undefined

export default {
  fetch(
    request: Request,
    env: Record<string, unknown>,
    context: { waitUntil: WaitUntil },
  ): Promise<Response> {
    media ??= createMedia({
      ...parseEnv(env),
      cache: caches.default,
      fetch: (request, init) => fetch(request, init),
      createPipe: (length) =>
        length === undefined ? new IdentityTransformStream() : new FixedLengthStream(length),
      patience: PATIENCE,
      now: Date.now,
      // An object would be formatted by inspect(), for ten times the cost of JSON; Workers Logs reads both.
      log: (line) => console[line.level](JSON.stringify(line)),
    })
    return media(request, (work) => context.waitUntil(work))
  },
}
