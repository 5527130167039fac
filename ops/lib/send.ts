import { lookup } from 'node:dns'
import { type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'

export interface HttpReply {
  status: number
  headers: Headers
  text: string
}

const TIMEOUT_MS = 30_000

/**
 * Sends a request without following redirects. Host names below `.localhost` are resolved to this machine (RFC
 * 6761 §6.3). The text is empty if the body cannot be read.
 * @throws Error without a response within 30 seconds
 */
export function send(
  url: URL,
  { body, ...options }: Pick<RequestOptions, 'method' | 'headers'> & { body?: string } = {},
): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const sent = request(url, { ...options, lookup: lookupHost, signal }, async (response) => {
    const body = await text(response).catch(() => '')
    const headers = new Headers(
      Object.entries(response.headers).map(([name, value]): [string, string] => [name, `${value}`]),
    )
    resolve({ status: response.statusCode ?? 0, headers, text: body })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

/** Parses JSON; returns a text that is not JSON unchanged. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const lookupHost: LookupFunction = (host, options, callback) =>
  lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, options, callback)
