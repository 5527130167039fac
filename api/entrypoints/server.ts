import { createApp } from '../app.ts'
import { createDatabase } from '../database.ts'
import { parseEnvironment } from '../env.ts'
import { createLogger } from '../log.ts'
import { createDocs } from '../openapi/docs.ts'
import { serve } from './serve.ts'

// The read API as a local server, for `npm start`, benchmarks and tests. On AWS, lambda.ts runs instead.

const env = parseEnvironment(process.env)
const log = createLogger(env.logLevel)
const database = createDatabase(env.databaseAddress, { max: 10, log })
const app = createApp({ ...env, database, log, isLocal: true, docs: createDocs(env.docsKey) })
const server = await serve(app.fetch, env.port)
// local/deploy/read-api.ts and bench/lib/backend.ts wait for this line.
process.stdout.write(`listening on ${server.url}\n`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await server.close()
    await database.close()
  })
