import { toMessage } from '../lib/command-line.ts'
import { toColumns } from '../lib/table.ts'

/** The result of one check. */
export interface Finding {
  check: string
  /** `unchecked`: the check could not be made, which says nothing about what it checks. */
  state: 'ok' | 'failed' | 'unchecked'
  detail: string
  /** Commands, or where to click, that make the check pass. */
  mend: readonly string[]
}

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail, mend: [] }
}

export function failed(check: string, detail: string, ...mend: readonly string[]): Finding {
  return { check, state: 'failed', detail, mend }
}

export function unchecked(check: string, detail: string, ...mend: readonly string[]): Finding {
  return { check, state: 'unchecked', detail, mend }
}

/** The finding of a check; `unchecked` with the message when it throws. */
export async function attempt(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    return unchecked(check, toMessage(error).split('\n')[0] ?? '')
  }
}

/** One line for each finding, with the mending commands below those that need them. */
export function toReport(stack: string, findings: readonly Finding[]): string {
  const rows = toColumns(
    findings.map(({ check, state, detail }) => [`${MARKS[state]} ${check}`, detail]),
  ).split('\n')
  const lines = findings.flatMap(({ mend }, index) => [
    rows[index] ?? '',
    ...mend.map((command) => `    ${command}`),
  ])
  return [...lines, '', toVerdict(stack, findings)].join('\n')
}

/** 0 ready, 1 not ready, 2 could not check. */
export function toExitCode(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ state }) => state === 'failed')) return 1
  return findings.some(({ state }) => state === 'unchecked') ? 2 : 0
}

const MARKS = { ok: '✓', failed: '✗', unchecked: '?' } as const

function toVerdict(stack: string, findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length
  const [failures, gaps] = [count('failed'), count('unchecked')]
  const next = `run \`npm run doctor -- ${stack}\` again`
  if (failures > 0) return `${stack} is not ready: ${failures} ✗, ${gaps} ?. Mend, then ${next}.`
  if (gaps > 0) return `${stack}: ${gaps} checks could not be made. Mend, then ${next}.`
  return `${stack} is ready.`
}
