import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { withClient } from '../../../prisma/connection.ts'
import { startPostgres, toDatabaseServer } from './postgres.ts'

const folder = join(tmpdir(), `cms-edge-database-${randomUUID()}`)
const options = { dataDir: join(folder, 'postgres'), password: 'a-password', isDurable: false }

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('startPostgres', () => {
  it('keeps its data for the next start', async () => {
    const first = await startPostgres(options)
    await query(first.url('postgres'), 'CREATE TABLE kept AS SELECT 1 AS n')
    await first.stop()
    const second = await startPostgres(options)
    expect(await query(second.url('postgres'), 'SELECT n FROM kept')).toEqual([{ n: 1 }])
    await second.stop()
  })

  it('uses UTC and Unicode and rejects a wrong password', async () => {
    const server = await startPostgres(options)
    const sql = `SELECT current_setting('timezone') AS zone, lower('ÄÖ') AS low`
    expect(await query(server.url('postgres'), sql)).toEqual([{ zone: 'UTC', low: 'äö' }])
    const wrong = server.url('postgres').replace('a-password', 'another')
    await expect(query(wrong, sql)).rejects.toThrow('password authentication failed')
    await server.stop()
  })

  it('rejects a second start in the same folder', async () => {
    const server = await startPostgres(options)
    await expect(startPostgres(options)).rejects.toThrow(/is in use by another start/)
    await server.stop()
  })

  it('closes its connections when it stops', async () => {
    const server = await startPostgres(options)
    const queryAfterStop = withClient(server.url('postgres'), async (client) => {
      await server.stop()
      return client.query('SELECT 1')
    })
    await expect(queryAfterStop).rejects.toThrow()
  })

  it('creates files that only its user can read', async () => {
    const server = await startPostgres(options)
    const { mode } = await stat(server.dataDir)
    expect(mode & 0o777).toBe(0o700)
    await server.stop()
  })

  it.runIf(process.getuid?.() === 0)(
    'keeps its data elsewhere when only root can enter the folder',
    async () => {
      const closed = join(folder, 'closed')
      await mkdir(closed)
      await chmod(closed, 0o700)
      const start = () => startPostgres({ ...options, dataDir: join(closed, 'postgres') })
      const server = await start()
      expect(server.dataDir).toBe(
        `/var/lib/cms-edge/${closed.slice(1).replaceAll('/', '-')}-postgres`,
      )
      await query(server.url('postgres'), 'CREATE TABLE kept ()')
      await server.stop()
      const restarted = await start()
      expect(await query(restarted.url('postgres'), 'SELECT FROM kept')).toEqual([])
      await restarted.stop()
      await rm(server.dataDir, { recursive: true })
    },
  )

  it.runIf(process.getuid?.() === 0)(
    'starts with empty data after its data folder was removed',
    async () => {
      const closed = join(folder, 'removed')
      for (const password of ['first', 'second']) {
        await mkdir(closed, { mode: 0o700 })
        const server = await startPostgres({
          ...options,
          dataDir: join(closed, 'postgres'),
          password,
        })
        expect(await query(server.url('postgres'), 'SELECT 1 AS one')).toEqual([{ one: 1 }])
        await server.stop()
        await rm(closed, { recursive: true })
        if (password === 'second') await rm(server.dataDir, { recursive: true })
      }
    },
  )
})

it('returns the URLs of a server for its owner and for a role', () => {
  const server = toDatabaseServer('postgresql://me:secret@db.example:5433/postgres?sslmode=require')
  expect(server.url('cms')).toBe('postgresql://me:secret@db.example:5433/cms?sslmode=require')
  expect(server.url('cms', { name: 'you', password: 'p' })).toBe(
    'postgresql://you:p@db.example:5433/cms?sslmode=require',
  )
})

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
