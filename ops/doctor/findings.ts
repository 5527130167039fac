import { toMessage } from '../lib/command-line.ts'
import { toColumns } from '../lib/table.ts'

/** The result of one check. */
export interface Finding {
  check: string
  /** `unchecked`: the check could not be made. */
  state: 'ok' | 'failed' | 'unchecked'
  detail: string
  /** Commands or links that make the check pass. */
  fixes: readonly string[]
}

/** Returns the finding of a check that passed. */
export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail, fixes: [] }
}

/** Returns the finding of a check that failed. */
export function failed(check: string, detail: string, ...fixes: readonly string[]): Finding {
  return { check, state: 'failed', detail, fixes }
}

/** Returns the finding of a check that could not be made. */
export function unchecked(check: string, detail: string, ...fixes: readonly string[]): Finding {
  return { check, state: 'unchecked', detail, fixes }
}

/** Returns the finding of a check; when it throws, `unchecked` with the message. */
export async function attempt(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work()
  } catch (error) {
    return unchecked(check, toMessage(error).split('\n')[0] ?? '')
  }
}

/** Returns one line for each finding, followed by the commands that fix it, and a conclusion at the end. */
export function toReport(stack: string, findings: readonly Finding[]): string {
  const rows = toColumns(
    findings.map(({ check, state, detail }) => [`${MARKS[state]} ${check}`, detail]),
  ).split('\n')
  const lines = findings.flatMap(({ fixes }, index) => [
    rows[index] ?? '',
    ...fixes.map((command) => `    ${command}`),
  ])
  return [...lines, '', toConclusion(stack, findings)].join('\n')
}

/** Returns 0 for ready, 1 for not ready, 2 if a check could not be made. */
export function toExitCode(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ state }) => state === 'failed')) return 1
  return findings.some(({ state }) => state === 'unchecked') ? 2 : 0
}

const MARKS = { ok: '✓', failed: '✗', unchecked: '?' } as const

function toConclusion(stack: string, findings: readonly Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((each) => each.state === state).length
  const [failures, skipped] = [count('failed'), count('unchecked')]
  const next = `run \`npm run doctor -- ${stack}\` again`
  if (failures > 0)
    return `${stack} is not ready: ${failures} ✗, ${skipped} ?. Run the commands above, then ${next}.`
  if (skipped > 0)
    return `${stack}: ${skipped} checks could not be made. Provide what they need, then ${next}.`
  return `${stack} is ready.`
}
