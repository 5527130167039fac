import { parseJson, send } from './send.ts'

export interface JsonReply {
  status: number
  /** Parsed JSON, or the text if it is not JSON. */
  body: unknown
}

/** Posts JSON with a bearer token. */
export async function post(url: URL, secret: string, body: unknown): Promise<JsonReply> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const reply = await send(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, body: parseJson(reply.text) }
}
