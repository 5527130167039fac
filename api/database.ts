import { AwsV4Signer } from 'aws4fetch'
import pg from 'pg'
import type { DatabaseAddress } from './env.ts'
import type { Logger } from './log.ts'

export interface SqlStatement {
  text: string
  values: unknown[]
  /** By default a statement is prepared once per connection. `false`: it is planned for its values each time. */
  prepare?: boolean
}
export type Query = <Row>(statement: SqlStatement) => Promise<Row[]>

export interface ApiDatabase {
  query: Query
  /** Like `query`, on a connection of its own: it finds the site of a request, and other queries must not delay it. */
  querySite: Query
  /** The pool that `query` uses; tests read its connection counters. */
  pool: pg.Pool
  close(): Promise<void>
}

// Milliseconds. Callers time out after 5 s, so connecting and querying each time out earlier.
const TIMEOUTS = {
  connectionTimeoutMillis: 2000,
  statement_timeout: 4000,
  query_timeout: 4500,
  idle_in_transaction_session_timeout: 10_000,
}

interface DatabaseDeps {
  /** Maximum number of connections, at least 2. */
  max: number
  log: Logger
}

/** Creates two pools, which connect on first use and together have at most `max` connections. */
export function createDatabase(address: DatabaseAddress, { max, log }: DatabaseDeps): ApiDatabase {
  const open = (connections: number): pg.Pool => {
    const pool = new pg.Pool({
      ...toConnection(address),
      ...TIMEOUTS,
      max: connections,
      keepAlive: true,
      application_name: 'cms-api',
      // `options` in DATABASE_URL replace this setting, so `verify` checks the time zone.
      options: '-c TimeZone=UTC',
      verify: requireUtc,
    })
    // pg replaces a broken idle connection on the next query.
    pool.on('error', (error) => log.warn({ error: error.message }, 'idle connection lost'))
    return pool
  }
  const sitePool = open(1)
  const pool = open(max - 1)
  return {
    pool,
    query: createQuery(pool),
    querySite: createQuery(sitePool),
    close: async () => void (await Promise.all([sitePool.end(), pool.end()])),
  }
}

/** SQLSTATE of, among others, a prepared statement whose result columns have changed their types. */
const FEATURE_NOT_SUPPORTED = '0A000'

// pg prepares only statements with a name. There are few different texts, so each gets a name.
function createQuery(pool: pg.Pool): Query {
  const names = new Map<string, string>()
  let statementCount = 0
  return async ({ text, values, prepare = true }) => {
    if (!prepare) return (await pool.query({ text, values })).rows
    const name = names.get(text) ?? `s${statementCount++}`
    names.set(text, name)
    try {
      return (await pool.query({ name, text, values })).rows
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== FEATURE_NOT_SUPPORTED) throw error
      // The schema changed after the statement was prepared. The next call gives it a new name, so each connection
      // prepares it again.
      if (names.get(text) === name) names.delete(text)
      return (await pool.query({ text, values })).rows
    }
  }
}

function toConnection(address: DatabaseAddress): pg.PoolConfig {
  if (address.type === 'url') return { connectionString: address.url }
  return {
    host: address.DATABASE_HOST,
    port: address.DATABASE_PORT,
    database: address.DATABASE_NAME,
    user: address.DATABASE_USER,
    password: () => createIamToken(address),
    ssl: { rejectUnauthorized: true },
  }
}

// The sitemap parses timestamps from text and assumes UTC.
function requireUtc(client: pg.PoolClient, done: (error?: Error) => void): void {
  client
    .query('SHOW TimeZone')
    .then(({ rows: [row] }) =>
      done(row.TimeZone === 'UTC' ? undefined : new Error(toTimeZoneMessage(row.TimeZone))),
    )
    .catch(done)
}

const toTimeZoneMessage = (timeZone: string): string =>
  `The time zone of the database session is ${timeZone}, not UTC. Remove TimeZone from the options in DATABASE_URL.`

/**
 * Creates an IAM token, which is the RDS password for 15 minutes (RDS user guide, "IAM database authentication").
 * Tests pass `datetime`, the instant of the signature as `YYYYMMDDTHHMMSSZ`.
 */
export async function createIamToken(
  address: Extract<DatabaseAddress, { type: 'iam' }>,
  datetime?: string,
): Promise<string> {
  const url = new URL(`https://${address.DATABASE_HOST}:${address.DATABASE_PORT}/`)
  url.searchParams.set('Action', 'connect')
  url.searchParams.set('DBUser', address.DATABASE_USER)
  url.searchParams.set('X-Amz-Expires', '900')
  const signer = new AwsV4Signer({
    url: url.href,
    accessKeyId: address.AWS_ACCESS_KEY_ID,
    secretAccessKey: address.AWS_SECRET_ACCESS_KEY,
    ...(address.AWS_SESSION_TOKEN && { sessionToken: address.AWS_SESSION_TOKEN }),
    service: 'rds-db',
    region: address.AWS_REGION,
    signQuery: true,
    ...(datetime && { datetime }),
  })
  const signed = await signer.sign()
  return signed.url.href.slice('https://'.length)
}
