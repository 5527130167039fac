import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { requestLocal } from './lib/local-request.ts'
import { findFreePort } from './lib/ports.ts'
import { spawnSupervised } from './lib/spawn-supervised.ts'
import { type RunningApi, superviseApi } from './read-api-supervisor.ts'

// Responds with its version, after 300 ms on /slow. Exits with code 7 on /exit.
const SERVER = `
const [port, version] = process.argv.slice(1)
const server = require('node:http').createServer((request, response) => {
  if (request.url === '/exit') process.exit(7)
  if (request.url === '/slow') setTimeout(() => response.end(version), 300)
  else response.end(version)
})
server.listen(port, '127.0.0.1', () => console.log('listening'))
process.on('SIGTERM', () => server.close())`

let running: RunningApi | undefined
afterEach(async () => {
  await running?.stop()
  running = undefined
})

async function start({ watch }: { watch: boolean }) {
  const port = await findFreePort()
  const launches = { version: 0, fails: false }
  const notices: { event: string; isUp: boolean }[] = []
  running = await superviseApi({
    async launch(port) {
      if (launches.fails) throw new Error('syntax error')
      launches.version += 1
      const args = ['-e', SERVER, '--', String(port), `version ${launches.version}`]
      const child = spawnSupervised({ command: process.execPath, args })
      await new Promise((resolve) => createInterface(child.stdout).once('line', resolve))
      return child
    },
    port,
    isWatching: watch,
    onNotice: (event, isUp) => notices.push({ event, isUp }),
  })
  const get = async (path = '/') => {
    const response = await requestLocal(`http://127.0.0.1:${port}${path}`)
    return response.body.toString()
  }
  return { get, launches, notices, replace: running.replace }
}

test.each([{ watch: false }, { watch: true }])(
  'a read API that ends by itself is restarted and reported (watch: $watch)',
  async (options) => {
    const { get, notices } = await start(options)
    expect(await get()).toBe('version 1')
    await get('/exit').catch(() => undefined)
    await expect.poll(() => get().catch(() => undefined), { timeout: 10_000 }).toBe('version 2')
    await expect
      .poll(() => notices)
      .toEqual([
        { event: 'ended with 7; restarting.', isUp: false },
        { event: 'was restarted.', isUp: true },
      ])
  },
)

test('a failed restart is reported and repeated', async () => {
  const { get, launches, notices } = await start({ watch: false })
  launches.fails = true
  await get('/exit').catch(() => undefined)
  const reported = { event: 'does not start: syntax error', isUp: false }
  await expect.poll(() => notices, { timeout: 10_000 }).toContainEqual(reported)
  launches.fails = false
  await expect.poll(() => get().catch(() => undefined), { timeout: 10_000 }).toBe('version 2')
})

test('a replacement does not interrupt requests', async () => {
  const { get, notices, replace } = await start({ watch: true })
  const slow = get('/slow')
  await replace()
  expect(await slow).toBe('version 1')
  expect(await get()).toBe('version 2')
  expect(notices).toEqual([])
})

test('when a replacement does not start, the old process continues', async () => {
  const { get, launches, replace } = await start({ watch: true })
  launches.fails = true
  await expect(replace()).rejects.toThrow('syntax error')
  expect(await get()).toBe('version 1')
})
