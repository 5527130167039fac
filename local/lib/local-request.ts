import http from 'node:http'

export interface LocalResponse {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * Sends a request to 127.0.0.1, for any host name in the URL, since Node cannot resolve `*.localhost`.
 * Rejects when nothing listens on the port.
 */
export function requestLocal(
  url: string,
  { method = 'GET', headers = {}, body }: LocalRequest = {},
): Promise<LocalResponse> {
  const { host, port, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: pathname + search, method, agent: false }
    http
      .request({ ...options, headers: { ...headers, host } }, async (response) => {
        const chunks: Uint8Array[] = await response.toArray()
        const { statusCode: status = 0, headers: received } = response
        resolve({ status, headers: received, body: Buffer.concat(chunks) })
      })
      .on('error', reject)
      .end(body)
  })
}

export interface LocalRequest {
  method?: string
  headers?: http.OutgoingHttpHeaders
  body?: string
}
