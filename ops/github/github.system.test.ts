import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const execute = promisify(execFile)

/** Stand-in for GitHub's CLI, which prints responses from files and records its calls. */
const gh = `#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in
  *"--input -"* | *"--body-file -"*) cat >> "$CALLS"; echo >> "$CALLS" ;;
  *"/pulls "*) cat "$RESPONSES/pulls" ;;
  *"/comments") cat "$RESPONSES/comments" ;;
  "issue list"*) cat "$RESPONSES/issues" ;;
esac
`

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-github-'))
  await writeFile(join(folder, 'gh'), gh, { mode: 0o755 })
})

afterEach(() => rm(folder, { recursive: true }))

const writeResponse = (name: string, value: unknown) =>
  writeFile(join(folder, name), JSON.stringify(value))

async function runCommand(name: string, args: string[], env = {}): Promise<string[]> {
  const calls = join(folder, 'calls')
  await writeFile(calls, '')
  await execute(process.execPath, [join(import.meta.dirname, name), ...args], {
    env: { PATH: `${folder}:/usr/bin:/bin`, CALLS: calls, RESPONSES: folder, ...env },
  })
  return (await readFile(calls, 'utf8')).trimEnd().split('\n')
}

describe('the comment on a pull request', () => {
  const event = {
    GITHUB_REPOSITORY: 'cms/edge',
    HEAD_OWNER: 'someone',
    HEAD_BRANCH: '$(id) --jq x',
    HEAD_SHA: 'abc',
  }
  const comment = (file = join(folder, 'declaration.diff')) =>
    runCommand('declaration-comment.ts', [file], event)

  beforeEach(async () => {
    await writeResponse('pulls', [{ number: 7, head: { sha: 'abc' } }])
    await writeResponse('comments', [
      [{ id: 1, body: '<!-- declaration -->', user: { login: 'someone' } }],
    ])
    await writeFile(join(folder, 'declaration.diff'), '```\n@everyone "memorySize": 1024\n')
  })

  test('is written to the pull request of the event; neither branch name nor difference is executed', async () => {
    const [searched, listed, written, body = ''] = await comment()
    expect(searched).toBe(
      'api --method GET repos/cms/edge/pulls -f state=open -f head=someone:$(id) --jq x',
    )
    expect(listed).toBe('api --paginate --slurp repos/cms/edge/issues/7/comments')
    expect(written).toBe('api --silent --method POST repos/cms/edge/issues/7/comments --input -')
    expect(JSON.parse(body).body).toMatch(/^<!-- declaration -->\n[^`]+`{20}diff\n```\n@everyone/)
  })

  test('is updated when it exists', async () => {
    const own = { body: '<!-- declaration -->\nold', user: { login: 'github-actions[bot]' } }
    await writeResponse('comments', [[], [{ id: 2, ...own }]])
    await writeFile(join(folder, 'declaration.diff'), '')
    const [, , written, body] = await comment()
    expect(written).toBe('api --silent --method PATCH repos/cms/edge/issues/comments/2 --input -')
    expect(body).toContain('do not change')
  })

  test('is not written when the pull request has newer commits', async () => {
    await writeResponse('pulls', [{ number: 7, head: { sha: 'newer' } }])
    expect(await comment(), 'only the search').toHaveLength(1)
  })

  test('is not written for a symbolic link in the artifact', async () => {
    await symlink('/etc/hostname', join(folder, 'link'))
    await expect(comment(join(folder, 'link'))).rejects.toThrow('not a regular file')
  })
})

describe('the issue of a stack', () => {
  const difference = { what: 'variable', name: 'CMS_SITE_ID', declared: 'a1', live: 'b2' }
  const runCheck = async (code: number, report: object = { differences: [], unchecked: [] }) => {
    await writeResponse('report', report)
    return runCommand('drift-issue.ts', ['site-prod', String(code), join(folder, 'report')])
  }

  test('is opened when the stack drifts', async () => {
    await writeResponse('issues', [{ number: 3, title: 'Drift of site-stage' }])
    const calls = await runCheck(7, { differences: [difference], unchecked: [] })
    expect(calls).toContain('issue create --title Drift of site-prod --label drift --body-file -')
    expect(calls.join('\n')).toMatch(/variable +CMS_SITE_ID +a1 +b2/)
  })

  test('is updated when it is open', async () => {
    await writeResponse('issues', [{ number: 4, title: 'Drift of site-prod' }])
    const calls = await runCheck(7, {
      differences: [],
      refresh: '~ update',
      unchecked: ['no token'],
    })
    expect(calls).toContain('issue edit 4 --body-file -')
    expect(calls).toEqual(expect.arrayContaining(['~ update', 'Not checked: no token']))
    expect(calls.join('\n')).not.toContain('issue create')
  })

  test('is closed when the stack no longer drifts', async () => {
    await writeResponse('issues', [{ number: 4, title: 'Drift of site-prod' }])
    expect((await runCheck(0)).at(-1)).toBe('issue close 4 --comment There is no drift any more.')
    await writeResponse('issues', [])
    expect(await runCheck(0), 'only the search').toHaveLength(1)
  })

  test.each([1, 2, 255])('is not changed when the check exits with %d', async (code) => {
    await writeResponse('issues', [{ number: 4, title: 'Drift of site-prod' }])
    await expect(runCheck(code)).rejects.toThrow('could not be checked')
    expect(await readFile(join(folder, 'calls'), 'utf8')).toBe('')
  })
})
