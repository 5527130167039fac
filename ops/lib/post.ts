import { parseJson, send } from './send.ts'

export type Reply = { status: number; body: unknown }

/** Posts JSON with a bearer. */
export async function post(url: URL, secret: string, body: unknown): Promise<Reply> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const reply = await send(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, body: parseJson(reply.text) }
}
