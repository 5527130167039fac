import { Miniflare } from 'miniflare'
import { afterAll, beforeAll } from 'vitest'
import { type D1Binding, toDatabase } from '../database.ts'
import { describeLog } from '../tests/log-suite.ts'

const SCRIPT = "export default { fetch: () => new Response('') }"
const NAMES = Array.from({ length: 20 }, (_, index) => `LOG_${index}`)

/** D1 as workerd has it; each test gets a database of its own. */
let miniflare: Miniflare
const unused = NAMES.values()
beforeAll(async () => {
  const databases = Object.fromEntries(NAMES.map((name) => [name, name]))
  miniflare = new Miniflare({ modules: true, script: SCRIPT, d1Databases: databases, cf: false })
  await miniflare.ready
})
afterAll(() => miniflare.dispose())

describeLog(async () => {
  const binding: D1Binding = await miniflare.getD1Database(unused.next().value ?? '')
  return toDatabase(binding)
})
