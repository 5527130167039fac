import { Miniflare } from 'miniflare'
import { afterAll, beforeAll } from 'vitest'
import { type D1Binding, toDatabase } from '../database.ts'
import { describeLog } from '../tests/log-suite.ts'

const SCRIPT = "export default { fetch: () => new Response('') }"
const NAMES = Array.from({ length: 20 }, (_, index) => `LOG_${index}`)

/** Databases of workerd's D1; each test uses another one. */
let miniflare: Miniflare
const unusedNames = NAMES.values()
beforeAll(async () => {
  const databases = Object.fromEntries(NAMES.map((name) => [name, name]))
  miniflare = new Miniflare({ modules: true, script: SCRIPT, d1Databases: databases, cf: false })
  await miniflare.ready
})
afterAll(() => miniflare.dispose())

describeLog(async () => {
  const binding: D1Binding = await miniflare.getD1Database(unusedNames.next().value ?? '')
  return toDatabase(binding)
})
