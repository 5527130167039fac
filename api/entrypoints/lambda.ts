import { createApp } from '../app.ts'
import { createDatabase } from '../database.ts'
import { parseEnvironment } from '../env.ts'
import { createLogger } from '../log.ts'
import { createStreamHandler } from './stream-handler.ts'

const env = parseEnvironment(process.env)
const log = createLogger(env.logLevel)
// One instance answers one request at a time: one connection for the site, one beside it.
const database = createDatabase(env.database, { max: 2, log })
const app = createApp({ ...env, database, log })

export const handler = awslambda.streamifyResponse(createStreamHandler(app.fetch))
