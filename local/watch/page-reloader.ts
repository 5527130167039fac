import type { IncomingMessage, ServerResponse } from 'node:http'
import { startProxy } from '../lib/proxy.ts'
import { addReloadScript, allowReloadScript, EVENTS_PATH } from './reload-script.ts'

/** Reverse proxy for workerd in watch mode. It adds a script to each page, so that `reload` can reload it. */
export interface PageReloader {
  /** Calls `replace`, which restarts workerd, and holds requests until it is done. */
  pauseDuring(replace: () => Promise<void>): Promise<void>
  /** Reloads the pages that are open in browsers. */
  reload(): void
  stop(): Promise<void>
}

/** Starts the proxy on `port`; `target` is the port of workerd. */
export async function openPageReloader(port: number, target: number): Promise<PageReloader> {
  const streams = new Set<ServerResponse>()
  const proxy = await startProxy({
    port,
    target,
    intercept(request, response) {
      if (request.url === EVENTS_PATH) {
        openStream(response, streams)
        return true
      }
      // Asks for an uncompressed body, to which the script can be added.
      delete request.headers['accept-encoding']
      return false
    },
    sendResponse: sendWithScript,
  })
  return {
    pauseDuring: proxy.pauseDuring,
    reload() {
      for (const stream of streams) stream.write('data: reload\n\n')
    },
    async stop() {
      for (const stream of streams) stream.end()
      await proxy.stop()
    },
  }
}

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': open\n\n')
  streams.add(response)
  response.on('close', () => streams.delete(response))
}

const STYLESHEET = /^\/cmp-media\/css\//
// The panel refreshes itself.
const PANEL_HOST = /^(localhost|127\.0\.0\.1)(:\d+)?$/

async function sendWithScript(
  upstream: IncomingMessage,
  response: ServerResponse,
  request: IncomingMessage,
): Promise<void> {
  const { statusCode = 502, headers } = upstream
  // In watch mode a stylesheet changes under the same URL, so browsers must revalidate it.
  if (STYLESHEET.test(request.url ?? '')) headers['cache-control'] = 'no-cache'
  const isPage =
    headers['content-type']?.startsWith('text/html') === true &&
    request.method === 'GET' &&
    statusCode !== 304 &&
    !PANEL_HOST.test(request.headers.host ?? '')
  if (isPage) {
    const html = addReloadScript(Buffer.concat(await upstream.toArray()).toString())
    delete headers['transfer-encoding']
    const policy = headers['content-security-policy']
    if (typeof policy === 'string') headers['content-security-policy'] = allowReloadScript(policy)
    response
      .writeHead(statusCode, { ...headers, 'content-length': Buffer.byteLength(html) })
      .end(html)
    return
  }
  response.writeHead(statusCode, headers)
  await new Promise<void>((resolve) => {
    response.on('close', resolve)
    upstream.on('error', () => response.destroy())
    upstream.pipe(response)
  })
}
