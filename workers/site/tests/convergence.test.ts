import { expect, test } from 'vitest'
import { templateBut } from './content.ts'
import { createRandom } from './random.ts'
import { createWorld, HOST } from './world.ts'

const SECOND = 1000
const PLACES = ['ams', 'fra', 'iad', 'nrt', 'syd']
const PATHS = ['/page-0', '/page-1', '/page-2', '/']
/** Pages of the settings' own, each of which few ask for. */
const RARE = Array.from({ length: 100 }, (_, index) => `rare-${index}`)
const SEEDS = [1, 2, 3, 4, 5, 6]
/** What a purge promises: here, and everywhere. Of two at once one may lose its update of the record: then the latter. */
const PROMISE_MS = { here: 6 * SECOND, everywhere: 300 * SECOND }
/** The cron voids the host again a minute and KV's delay after such a loss, and no copy lives longer from then on. */
const CRON_PROMISE_MS = 420 * SECOND

/** A purge that was answered with success: what it voided, where, when, and the version that it was to show. */
type Purge = {
  path: string | undefined
  place: string
  at: number
  version: number
  alone: boolean
}

test.each(SEEDS)('no page outlives its purge, in world %i', { timeout: 60_000 }, async (seed) => {
  const { api, clock, random, within, pick, isolates } = openEverywhere(seed)
  let version = 0
  const publish = () => {
    version++
    for (const index of [0, 1, 2])
      api.publish({ id: index + 1, slug: `page-${index}`, title: `v${version}.` })
  }
  publish()
  const purges: Purge[] = []
  let old = 0

  const purge = async (alone: boolean) => {
    const { place, isolate } = pick(isolates)
    const path = random() < 0.8 ? pick(PATHS) : undefined
    const shown = version
    const response = await isolate.purge({
      host: HOST,
      ...(path ? { url: path } : { site: true }),
    })
    if (response.status < 300) purges.push({ path, place, at: clock.now(), version: shown, alone })
  }

  const read = async () => {
    const { place, isolate } = pick(isolates)
    const path = pick(PATHS)
    const asked = clock.now()
    const text = await (await isolate.get(path)).text()
    const seen = Number(/v(\d+)\./.exec(text)?.[1])
    if (seen < version) old++
    for (const one of purges) {
      const promise = one.alone && one.place === place ? PROMISE_MS.here : PROMISE_MS.everywhere
      const concerned = one.path === undefined || one.path === path
      if (concerned && asked - one.at > promise && seen < one.version)
        expect.fail(
          `${path} in ${place} shows v${seen}, ${asked - one.at} ms after v${one.version}`,
        )
    }
  }

  for (let step = 0; step < 700; step++) {
    // Some renders are slow, and write what they began long before.
    api.pause = random() < 0.1 ? () => clock.sleep(within(8 * SECOND)) : async () => {}
    const act = random()
    if (act < 0.03) publish()
    else if (act < 0.045) await purge(true)
    else if (act < 0.06) await Promise.all([purge(false), purge(false)])
    else await read()
    await clock.advance(within(3 * SECOND))
  }
  expect(old).toBeGreaterThan(100)
  expect(purges.length).toBeGreaterThan(10)
})

test.each(SEEDS)(
  'no page outlives a change of settings that the cron has seen, whatever is purged, in world %i',
  { timeout: 60_000 },
  async (seed) => {
    const { api, clock, random, within, pick, isolates } = openEverywhere(seed)
    const followed: { version: number; at: number }[] = []
    let version = 0
    let old = 0
    const { templates } = api.settings.site_settings
    const change = () => {
      const source = `v${++version}.`
      const rare = RARE.map((key) => templateBut({ type: 'page', key, source }))
      api.touchSettings({ templates: [...templates, ...rare] })
    }

    const read = async () => {
      const { place, isolate } = pick(isolates)
      const path = `/${pick(RARE)}`
      const asked = clock.now()
      const text = await (await isolate.get(path)).text()
      const seen = Number(/v(\d+)\./.exec(text)?.[1])
      if (seen < version) old++
      for (const one of followed) {
        if (asked - one.at > CRON_PROMISE_MS && seen < one.version)
          expect.fail(
            `${path} in ${place} shows v${seen}, ${asked - one.at} ms after v${one.version}`,
          )
      }
    }

    for (let step = 0; step < 1500; step++) {
      if (step % 300 === 0) change()
      if (step % 30 === 0) {
        const shown = version
        await pick(isolates).isolate.tick()
        if (followed.at(-1)?.version !== shown) followed.push({ version: shown, at: clock.now() })
      }
      // The purges of an editor who has just changed something.
      if (step % 300 < 40 && random() < 0.1)
        await pick(isolates).isolate.purge({ host: HOST, url: pick(PATHS) })
      await read()
      await clock.advance(within(4 * SECOND))
    }
    expect(old).toBeGreaterThan(50)
  },
)

/** Two isolates in each of several places, whose clocks differ. */
function openEverywhere(seed: number) {
  const random = createRandom(seed)
  const within = (milliseconds: number) => Math.floor(random() * milliseconds)
  const pick = <T>(list: readonly T[]): T => list[within(list.length)] as T
  const { open, api, clock, kv } = createWorld()
  kv.faults.remembersMisses = true
  const isolates = PLACES.flatMap((place) =>
    [0, 1].map(() => ({
      place,
      isolate: open(place, { skew: within(SECOND) - 500, ports: { random } }),
    })),
  )
  api.withdraw('lighthouse')
  return { api, clock, random, within, pick, isolates }
}
