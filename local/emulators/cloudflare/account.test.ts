import { describe, expect, it } from 'vitest'
import {
  createAccount,
  putCrons,
  putDomain,
  putNamespace,
  putRecord,
  putRoute,
  putScript,
  type Script,
} from './account.ts'

const scriptBut = (but: Partial<Script> = {}): Script => ({
  mainModule: 'index.js',
  content: 'export default {}',
  bindings: [],
  compatibilityDate: '2026-07-01',
  compatibilityFlags: [],
  settings: {},
  ...but,
})

const zoneId = 'zone'

function createFilledAccount() {
  const account = createAccount()
  putNamespace(account, 'kv', 'a title')
  putScript(account, 'site', scriptBut())
  putRoute(account, 'route', { zoneId, pattern: 'a.example/*', script: 'site' })
  putDomain(account, 'domain', { zoneId, hostname: 'b.example', service: 'site' })
  putRecord(account, 'record', {
    zoneId,
    name: 'a.example',
    type: 'AAAA',
    content: '100::',
    proxied: true,
    ttl: 1,
  })
  return account
}

type Account = ReturnType<typeof createFilledAccount>
const kv = { type: 'kv_namespace', name: 'KV', namespaceId: 'none' } as const
const text = { type: 'plain_text', name: 'A', text: 'a' } as const
const record = { zoneId, type: 'A', content: '192.0.2.1', proxied: true, ttl: 1 }

describe('changes that Cloudflare rejects', () => {
  it.each<[string, number, (account: Account) => void]>([
    ['a duplicate title', 10014, (a) => putNamespace(a, 'other', 'a title')],
    ['a script name with a space', 10016, (a) => putScript(a, 'a b', scriptBut())],
    [
      'a binding to a missing namespace',
      10041,
      (a) => putScript(a, 'x', scriptBut({ bindings: [kv] })),
    ],
    ['a duplicate binding', 10021, (a) => putScript(a, 'x', scriptBut({ bindings: [text, text] }))],
    [
      'an impossible compatibility date',
      10021,
      (a) => putScript(a, 'x', scriptBut({ compatibilityDate: '2026-13-01' })),
    ],
    ['crons of a missing script', 10007, (a) => putCrons(a, 'none', ['* * * * *'])],
    ['a malformed cron expression', 10100, (a) => putCrons(a, 'site', ['* * *'])],
    ['a duplicate pattern', 10020, (a) => putRoute(a, 'x', { zoneId, pattern: 'a.example/*' })],
    ['a malformed pattern', 10022, (a) => putRoute(a, 'x', { zoneId, pattern: 'a.example/*/b' })],
    [
      'a route to a missing script',
      10007,
      (a) => putRoute(a, 'x', { zoneId, pattern: 'c/*', script: 'n' }),
    ],
    [
      'a duplicate custom domain',
      100116,
      (a) => putDomain(a, 'x', { zoneId, hostname: 'b.example', service: 'site' }),
    ],
    [
      'a custom domain on a host with a record',
      100117,
      (a) => putDomain(a, 'x', { zoneId, hostname: 'a.example', service: 'site' }),
    ],
    [
      'a record of a custom domain',
      81062,
      (a) => putRecord(a, 'x', { ...record, name: 'b.example' }),
    ],
    [
      'a duplicate record',
      81058,
      (a) => {
        putRecord(a, 'x', { ...record, name: 'c.example' })
        putRecord(a, 'y', { ...record, name: 'c.example' })
      },
    ],
  ])('%s', (_, code, act) => {
    expect(() => act(createFilledAccount())).toThrow(expect.objectContaining({ code }))
  })
})

it('replaces an entry under the same id', () => {
  const account = createFilledAccount()
  putRoute(account, 'route', { zoneId, pattern: 'a.example/*' })
  putDomain(account, 'domain', { zoneId, hostname: 'b.example', service: 'site' })
  putNamespace(account, 'kv', 'a title')
  expect(account.routes.get('route')).toEqual({ zoneId, pattern: 'a.example/*' })
})
