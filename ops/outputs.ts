import * as z from 'zod/mini'
import { runCommand } from './lib/command-line.ts'
import { openPulumi, readOutputs } from './lib/refresh.ts'
import { parseStack } from './lib/stack.ts'
import { toColumns } from './lib/table.ts'

const COMMAND = {
  invocation: 'npm run outputs --',
  positionals: ['<stack>'],
  summary: 'Prints the outputs of a deployed stack; the Pulumi CLI masks secrets.',
  options: { json: { type: 'boolean', description: 'print the outputs as JSON' } },
  exitCodes: { 0: 'printed', 1: 'the outputs cannot be read' },
} as const

const Outputs = z.record(z.string(), z.unknown())

await runCommand(COMMAND, async ({ values, positionals }) => {
  const stack = parseStack(positionals[0])
  const outputs = Outputs.parse(await readOutputs(await openPulumi(), stack))
  const rows = Object.entries(outputs).flatMap(([name, value]) => toRows(name, value))
  console.log(values.json ? JSON.stringify(outputs, null, 2) : toColumns(rows))
})

/** Returns a row for each value. A list has a row for each item, of which only the first has the name. */
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
