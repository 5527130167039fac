import { lstat, readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { runCommand } from '../lib/command-line.ts'
import { toFenced } from './fence.ts'
import { gh } from './gh.ts'

const MARKER = '<!-- declaration -->'
const AUTHOR = 'github-actions[bot]'

const EventVariables = z.object({
  GITHUB_REPOSITORY: z.string(),
  HEAD_OWNER: z.string(),
  HEAD_BRANCH: z.string(),
  HEAD_SHA: z.string(),
})
const Pulls = z.array(z.object({ number: z.int(), head: z.object({ sha: z.string() }) }))
const Comment = z.object({ id: z.int(), body: z.string(), user: z.object({ login: z.string() }) })
const Pages = z.array(z.array(Comment))

const COMMAND = {
  invocation: 'node ops/github/declaration-comment.ts',
  positionals: ['<file>'],
  summary: `Writes the difference of the declarations as a comment on the pull request.
Environment: GH_TOKEN, GITHUB_REPOSITORY, HEAD_OWNER, HEAD_BRANCH, HEAD_SHA.`,
  options: {},
  exitCodes: { 0: 'commented, or the pull request has newer commits', 1: 'not commented' },
} as const

// The file is untrusted, so it is only displayed. The event, not the file, determines the pull request.
await runCommand(COMMAND, async ({ positionals: [file = ''] }) => {
  const event = EventVariables.parse(process.env)
  const body = toBody(await readPlainFile(file))
  const number = await findPullRequest(event)
  if (number === undefined) return
  const issues = `repos/${event.GITHUB_REPOSITORY}/issues`
  const commentId = await findComment(`${issues}/${number}/comments`)
  const target = commentId
    ? ['--method', 'PATCH', `${issues}/comments/${commentId}`]
    : ['--method', 'POST', `${issues}/${number}/comments`]
  await gh(['api', '--silent', ...target, '--input', '-'], JSON.stringify({ body }))
})

/** Reads a regular file. A symbolic link is rejected, because it could refer to any file of this machine. */
async function readPlainFile(path: string): Promise<string> {
  if (!(await lstat(path)).isFile())
    throw new Error(`${path} in the artifact is not a regular file.`)
  return readFile(path, 'utf8')
}

function toBody(difference: string): string {
  return difference.trim() === ''
    ? `${MARKER}\nThe declarations of the stacks do not change.`
    : `${MARKER}\nDeclarations of the stacks, compared with the base branch:\n\n${toFenced('diff', difference)}`
}

/**
 * Returns the number of the open pull request whose newest commit is the
 * one of the event; undefined if none has it.
 */
async function findPullRequest(event: z.infer<typeof EventVariables>): Promise<number | undefined> {
  const { GITHUB_REPOSITORY, HEAD_OWNER, HEAD_BRANCH, HEAD_SHA } = event
  const filter = ['-f', 'state=open', '-f', `head=${HEAD_OWNER}:${HEAD_BRANCH}`]
  const output = await gh(['api', '--method', 'GET', `repos/${GITHUB_REPOSITORY}/pulls`, ...filter])
  return Pulls.parse(JSON.parse(output)).find(({ head }) => head.sha === HEAD_SHA)?.number
}

/** Returns the id of the comment that an earlier run wrote. */
async function findComment(path: string): Promise<number | undefined> {
  const pages = Pages.parse(JSON.parse(await gh(['api', '--paginate', '--slurp', path])))
  return pages.flat().find(({ body, user }) => user.login === AUTHOR && body.startsWith(MARKER))?.id
}
