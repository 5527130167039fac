import { createRandom } from '../workers/site/tests/random.ts'
import { createWorld, HOST, type Isolate } from '../workers/site/tests/world.ts'
import { report } from './lib/report.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const PLACES = 50
const COMMITS = 12

const random = createRandom(7)
const within = (bound: number) => Math.floor(random() * bound)

/**
 * Seconds from a commit until a reader in each of the data centres sees it, readers asking each second,
 * over a KV that shows a write elsewhere after 60 seconds and clocks up to a second apart.
 */
async function measure(spread: (world: World) => Promise<void>): Promise<number[]> {
  const world = await begin()
  const { api, clock } = world
  const seconds: number[] = []
  for (let commit = 1; commit <= COMMITS; commit++) {
    await clock.advance(MINUTE * 6 + within(MINUTE))
    await browse(world)
    const title = `Commit ${commit}`
    const committed = clock.now()
    api.publish({ title })
    await spread(world)
    const waiting = new Set(world.places)
    while (waiting.size > 0) {
      await passSecond(world)
      for (const place of waiting) {
        const text = await (await place.get('/lighthouse')).text()
        if (!text.includes(title)) continue
        waiting.delete(place)
        seconds.push((clock.now() - committed) / SECOND)
      }
    }
  }
  return seconds.toSorted((one, other) => one - other)
}

type World = Awaited<ReturnType<typeof begin>>

async function begin() {
  const world = createWorld()
  const places: Isolate[] = Array.from({ length: PLACES }, (_, index) =>
    world.open(`place-${index}`, { skew: within(SECOND) - 500, ports: { random } }),
  )
  const cron = world.open('place-0')
  await cron.tick()
  return { ...world, places, cron }
}

// Readers come at their own times, so that no two places ask KV at the same one.
async function browse(world: World): Promise<void> {
  for (let second = 0; second < 45; second++) {
    await passSecond(world)
    for (const place of world.places) if (random() < 0.2) await place.get('/lighthouse')
  }
}

async function passSecond({ clock, cron }: World): Promise<void> {
  const minute = Math.floor(clock.now() / MINUTE)
  await clock.advance(SECOND)
  if (Math.floor(clock.now() / MINUTE) > minute) await cron.tick()
}

const purge = async ({ places }: World): Promise<void> => {
  const place = places[within(PLACES)]
  const answer = await place?.purge({ host: HOST, url: '/lighthouse' })
  if (answer?.status !== 200) throw new Error(`The purge was answered with ${answer?.status}`)
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const byCron = await measure(async () => {})
const byPurge = await measure(purge)
report([
  { name: 'freshness.cron.median', value: quantile(byCron, 0.5), unit: 's' },
  { name: 'freshness.cron.p99', value: quantile(byCron, 0.99), unit: 's' },
  {
    name: 'freshness.cron.max',
    value: quantile(byCron, 1),
    unit: 's',
    goal: { op: '<=', value: 160 },
  },
  { name: 'freshness.purge.median', value: quantile(byPurge, 0.5), unit: 's' },
  { name: 'freshness.purge.p99', value: quantile(byPurge, 0.99), unit: 's' },
  {
    name: 'freshness.purge.max',
    value: quantile(byPurge, 1),
    unit: 's',
    goal: { op: '<=', value: 100 },
  },
])
