import { describe, expect, test } from 'vitest'
import { fetchPage } from './fetch-page.ts'
import { createSimulatedNetwork, SECRET, type SimulatedNetwork } from './simulated-network.ts'

describe('the log line of a request', () => {
  const linesOf = ({ logs }: SimulatedNetwork) => logs.filter(({ event }) => event === 'request')

  test('is written for one of LOG_SAMPLE fresh hits in the edge cache, and for each other request', async () => {
    const network = createSimulatedNetwork()
    const random = (() => {
      let calls = 0
      return () => (calls++ % 100) / 100
    })()
    const isolate = network.createIsolate('here', { config: { logSample: 100 }, ports: { random } })
    await fetchPage(isolate)
    network.logs.length = 0
    for (let hit = 0; hit < 500; hit++) await isolate.get('/lighthouse')
    const hits = linesOf(network)
    expect(hits).toHaveLength(5)
    expect(hits.every(({ sampled }) => sampled === 100)).toBe(true)
    network.logs.length = 0
    for (const path of ['/', '/nothing', '/robots.txt/', '/__cms/health']) await isolate.get(path)
    await isolate.get('/lighthouse', { method: 'POST' })
    expect(linesOf(network)).toHaveLength(5)
    expect(linesOf(network).some(({ sampled }) => sampled !== undefined)).toBe(false)
  })

  test('is written for every hit when LOG_SAMPLE is 1', async () => {
    const network = createSimulatedNetwork()
    const isolate = network.createIsolate()
    for (const _ of [1, 2, 3]) await fetchPage(isolate)
    expect(linesOf(network).map(({ sampled }) => sampled)).toEqual([undefined, 1, 1])
  })

  test('contains the number of calls to the read API that the response waited for', async () => {
    const network = createSimulatedNetwork()
    const isolate = network.createIsolate()
    for (const _ of [1, 2]) await fetchPage(isolate)
    // The first request reads the settings and the article.
    expect(linesOf(network).map(({ api_calls }) => api_calls)).toEqual([2, undefined])
  })
})

test('no log line contains a query or a secret', async () => {
  const { createIsolate, logs, api } = createSimulatedNetwork()
  const isolate = createIsolate()
  await fetchPage(isolate, '/search?q=private-words')
  await isolate.get(`/lighthouse?_preview=1`, { headers: { authorization: `Bearer ${SECRET}` } })
  api.mode = 'status-500'
  await fetchPage(isolate, '/search?q=other-private-words')
  expect(logs.length).toBeGreaterThan(3)
  expect(JSON.stringify(logs)).not.toMatch(new RegExp(`private-words|_preview|${SECRET}`))
})
