import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { seed } from '../../demo/index.ts'
import { sha256Hex } from '../../http/bearer.ts'
import { startPostgres } from '../../local/emulators/postgres/postgres.ts'
import { findFreePort } from '../../local/lib/ports.ts'
import { spawnSupervised } from '../../local/lib/spawn-supervised.ts'
import { migrate } from '../../prisma/migrate.ts'
import { execute } from './database.ts'

export const API_KEY = 'a-key-that-only-the-benchmarks-use-0123'
export const SITE = 'harbour'

/** A seeded PostgreSQL and its read API; each can be stopped, and started again on the same port. */
export type Backend = {
  baseUrl: string
  /** Slugs of published articles in the default language, newest first. */
  slugs: string[]
  api: Service
  database: Service
  stop(): Promise<void>
}
type Service = { start(): Promise<void>; stop(): Promise<void> }

const serverFile = fileURLToPath(new URL('../../api/entrypoints/server.ts', import.meta.url))

/** Starts a PostgreSQL with a demo of this number of articles, and a read API. */
export async function startBackend(articles: number): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-edge-bench-'))
  const database = await createDatabaseService(join(folder, 'postgres'))
  await database.start()
  const url = database.url('bench')
  await execute(database.url('postgres'), 'CREATE DATABASE bench')
  await migrate(url)
  await seed(url, { articles })
  const port = await findFreePort()
  const api = createApiService(url, port)
  await api.start()
  return {
    baseUrl: `http://127.0.0.1:${port}/public/v2`,
    slugs: await readSlugs(url),
    api,
    database,
    async stop() {
      await api.stop()
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function createDatabaseService(dataDir: string) {
  const port = await findFreePort()
  let running: Awaited<ReturnType<typeof startPostgres>> | undefined
  return {
    url: (name: string) => running?.url(name) ?? '',
    async start() {
      running = await startPostgres({ dataDir, port, password: 'bench', isDurable: false })
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
  }
}

function createApiService(databaseUrl: string, port: number): Service {
  let running: ReturnType<typeof spawnSupervised> | undefined
  return {
    async start() {
      running = spawnSupervised({
        command: process.execPath,
        args: [serverFile],
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: databaseUrl,
          CMS_API_KEY_DIGESTS: await sha256Hex(API_KEY),
          CMS_PREVIEW_DIGESTS: await sha256Hex(API_KEY),
          PUBLIC_V1_ENABLED: 'false',
          PORT: String(port),
        },
      })
      await untilListening(running.stdout)
    },
    async stop() {
      await running?.stop()
      running = undefined
    },
  }
}

async function untilListening(output: NodeJS.ReadableStream): Promise<void> {
  for await (const line of createInterface(output))
    if (line.startsWith('listening on')) {
      // The loop pauses stdout when it ends. The server would block once the pipe is full.
      output.resume()
      return
    }
  throw new Error('The read API did not start')
}

async function readSlugs(url: string): Promise<string[]> {
  const rows = await execute<{ slug: string }>(
    url,
    `SELECT slug FROM articles a JOIN sites s ON s.id = site_id
     WHERE s.acronym = '${SITE}' AND language = 'en' AND status = 'published'
       AND published_at < now() AND content_type = 'homepage_article'
     ORDER BY published_at DESC`,
  )
  return rows.map(({ slug }) => slug)
}
