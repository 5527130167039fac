import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Runs a program after the check, on this Node or on one that reports `version`. */
function runProgram(version = process.versions.node) {
  const setVersion = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      `--import=data:text/javascript,${encodeURIComponent(setVersion)}`,
      `--import=${join(import.meta.dirname, 'require-node.js')}`,
      '-e',
      'console.log("the program")',
    ],
    { encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

test('a supported Node runs the program', () => {
  expect(runProgram()).toEqual({ status: 0, stdout: 'the program\n', stderr: '' })
})

test('an older Node exits with a message that names the required version', () => {
  const { status, stdout, stderr } = runProgram('20.20.2')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('needs Node 24 or later, and the first `node` on PATH is 20.20.2')
  expect(stderr).toContain('npx pulumi')
})
