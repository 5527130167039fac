import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { run } from './lib/environment.ts'
import { readOutputs } from './lib/refresh.ts'
import { parseStack } from './lib/stack.ts'
import { toColumns } from './lib/table.ts'

const USAGE = 'Usage: npm run outputs -- <stack> [--json]'

const Outputs = z.record(z.string(), z.unknown())

// What the stack keeps secret the CLI itself masks.
await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' } },
  })
  const outputs = Outputs.parse(await readOutputs(parseStack(positionals[0])))
  const rows = Object.entries(outputs).flatMap(([name, value]) => toRows(name, value))
  console.log(values.json ? JSON.stringify(outputs, null, 2) : toColumns(rows))
}, USAGE)

/** One row a value: lists are unfolded, and the name stands at their first item only. */
function toRows(name: string, value: unknown): string[][] {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  return items.map((item, index) => [index === 0 ? name : '', toText(item)])
}

function toText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, field]) => `${key}=${field}`)
    .join('  ')
}
