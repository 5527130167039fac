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
const start = Number(values.seed)
const started = performance.now()
let visits = 0
let old = 0
let violations = 0
console.error(`seeds ${start} to ${start + count - 1}`)
for (let seed = start; seed < start + count; seed++) {
  if (seed > start && (seed - start) % 500 === 0)
    console.error(`${seed - start} histories, ${violations} violated; continue with --seed ${seed}`)
  const result = await runHistory(seed)
  visits += result.visits
  old += result.visitsOfOlderPages
  if (result.violations.length === 0) continue
  violations++
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.error(`seed ${seed}, after ${seconds} s: ${result.violations[0]}`)
  if (values.first) break
}
report([
  { name: 'histories.count', value: count, unit: '' },
  { name: 'histories.visits', value: visits, unit: '' },
  { name: 'histories.visits-of-older-pages', value: old, unit: '' },
  { name: 'histories.violated', value: violations, unit: '', goal: { op: '<=', value: 0 } },
  { name: 'histories.time', value: (performance.now() - started) / 1000, unit: 's' },
])
process.exit(0)
