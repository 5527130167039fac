import { createApp } from '../app.ts'
import { createDatabase } from '../database.ts'
import { parseEnvironment } from '../env.ts'
import { createLogger } from '../log.ts'
import { createDocs } from '../openapi/docs.ts'
import { serve } from './serve.ts'

const env = parseEnvironment(process.env)
const log = createLogger(env.logLevel)
const database = createDatabase(env.database, { max: 10, log })
const app = createApp({ ...env, database, log, isLocal: true, docs: createDocs(env.docsKey) })
const server = await serve(app.fetch, env.port)
process.stdout.write(`listening on ${server.url}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await server.close()
    await database.close()
  })
