import { expect, test } from 'vitest'
import { runToEnd } from './run-to-end.ts'

const runShell = (script: string, more: { input?: string; signal?: AbortSignal } = {}) =>
  runToEnd({ command: '/bin/sh', args: ['-c', script], cwd: '/', env: process.env, ...more })

test('returns the exit code, and standard output followed by standard error', async () => {
  const result = await runShell('cat; echo " and an error" >&2; exit 3', { input: 'an input' })
  expect(result).toEqual({ code: 3, output: 'an input and an error' })
})

test('kills the command and its children when aborted', async () => {
  const abort = new AbortController()
  const killed = runShell('sleep 60 & wait', { signal: abort.signal })
  abort.abort()
  expect(await killed).toEqual({ code: null, output: '' })
})

test('returns no exit code for a missing command', async () => {
  const missing = { command: '/missing', args: [], cwd: '/', env: {} }
  expect(await runToEnd(missing)).toEqual({ code: null, output: '' })
})
