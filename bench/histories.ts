import { parseArgs } from 'node:util'
import { runHistory } from '../workers/site/tests/histories/run-history.ts'
import { report } from './lib/report.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    /** Stops at the first violation. */
    first: { type: 'boolean' },
    json: { type: 'boolean' },
  },
})
const count = Number(values.count)
const firstSeed = Number(values.seed)
const started = performance.now()
let histories = 0
let visits = 0
let visitsOfOlderPages = 0
let violatingHistories = 0
console.error(`seeds ${firstSeed} to ${firstSeed + count - 1}`)
for (let seed = firstSeed; seed < firstSeed + count; seed++) {
  if (seed > firstSeed && (seed - firstSeed) % 500 === 0)
    console.error(
      `${seed - firstSeed} histories, ${violatingHistories} with violations; continue with --seed ${seed}`,
    )
  const result = await runHistory(seed)
  histories++
  visits += result.visits
  visitsOfOlderPages += result.visitsOfOlderPages
  if (result.violations.length === 0) continue
  violatingHistories++
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.error(`seed ${seed}, after ${seconds} s: ${result.violations[0]}`)
  if (values.first) break
}
report([
  { name: 'histories.count', value: histories, unit: '' },
  { name: 'histories.visits', value: visits, unit: '' },
  { name: 'histories.visits-of-older-pages', value: visitsOfOlderPages, unit: '' },
  { name: 'histories.violated', value: violatingHistories, unit: '', goal: { op: '<=', value: 0 } },
  { name: 'histories.time', value: (performance.now() - started) / 1000, unit: 's' },
])
process.exit(0)
