import { createApp } from '../app.ts'
import { createDatabase } from '../database.ts'
import { parseEnvironment } from '../env.ts'
import { createLogger } from '../log.ts'
import { createFunctionUrlHandler } from './function-url.ts'

// The read API as a Lambda function. On other machines, server.ts starts it.

const env = parseEnvironment(process.env)
const log = createLogger(env.logLevel)
// An instance serves one request at a time: one connection resolves the site, one reads content.
const database = createDatabase(env.databaseAddress, { max: 2, log })

export const handler = createFunctionUrlHandler(createApp({ ...env, database, log }))
