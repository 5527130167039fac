import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { environments, stacks } from '../../infra/environments.ts'

const folder = join(import.meta.dirname, '../../.github/workflows')

const Permissions = z.record(z.string(), z.enum(['read', 'write', 'none']))
const Concurrency = z.object({ group: z.string(), 'cancel-in-progress': z.optional(z.unknown()) })
const Step = z.object({
  uses: z.optional(z.string()),
  run: z.optional(z.string()),
  env: z.optional(z.record(z.string(), z.string())),
  with: z._default(z.record(z.string(), z.unknown()), {}),
})
const Job = z.object({
  needs: z.pipe(
    z._default(z.union([z.string(), z.array(z.string())]), []),
    z.transform((needs) => [needs].flat()),
  ),
  uses: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.string())),
  'timeout-minutes': z.optional(z.number()),
  permissions: z.optional(Permissions),
  concurrency: z.optional(Concurrency),
  strategy: z.optional(
    z.object({ matrix: z.object({ include: z.array(z.record(z.string(), z.string())) }) }),
  ),
  steps: z._default(z.array(Step), []),
})
const Workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions: Permissions,
  concurrency: z.optional(Concurrency),
  jobs: z.record(z.string(), Job),
})

const workflows = await Promise.all(
  (await readdir(folder)).map(async (file) => {
    const source = await readFile(join(folder, file), 'utf8')
    return { file, source, ...Workflow.parse(yaml.parse(source)) }
  }),
)
const workflow = (name: string) => {
  const found = workflows.find(({ file }) => file === `${name}.yml`)
  if (!found) throw new Error(`There is no workflow ${name}.`)
  return found
}

describe.each(workflows)('$file', ({ source, on, permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  test('pins every action by hash, with its version in a comment', () => {
    for (const [line] of source.matchAll(/^.*\buses:.*$/gm))
      expect(line).toMatch(/uses: (\.\/\S+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)
  })

  test('grants no write permission to the whole workflow', () => {
    expect(Object.values(permissions).filter((access) => access === 'write')).toEqual([])
  })

  test('has timeouts, and does not persist git credentials', () => {
    for (const job of Object.values(jobs)) expect(job.uses ?? job['timeout-minutes']).toBeDefined()
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step.with['persist-credentials']).toBe(false)
  })

  test('interpolates no expression into a script', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })

  test('exposes no secret or write token to pull requests', () => {
    expect(on).not.toHaveProperty('pull_request_target')
    if (!('pull_request' in on)) return
    expect(source).not.toMatch(/secrets|github\.token|GITHUB_TOKEN|id-token|environment:/)
    expect(Object.values(jobs).flatMap((job) => Object.values(job.permissions ?? {}))).toEqual([])
  })
})

test('the comment is written by the workflow of the default branch', () => {
  const { on, jobs } = workflow('declaration-comment')
  expect(on).toEqual({ workflow_run: { workflows: ['declaration'], types: ['completed'] } })
  expect(jobs.comment?.permissions).toEqual({
    actions: 'read',
    contents: 'read',
    'pull-requests': 'write',
  })
  const checkouts = jobs.comment?.steps.filter(({ uses }) => uses?.includes('/checkout@')) ?? []
  expect(checkouts.map((step) => step.with)).toEqual([{ 'persist-credentials': false }])
})

test('the declarations are recorded by a test that exists', async () => {
  const stacksTest = join(import.meta.dirname, '../../infra/stacks.system.test.ts')
  const [, title = ''] = / -t '([^']+)'/.exec(workflow('declaration').source) ?? []
  expect(title).not.toBe('')
  expect(await readFile(stacksTest, 'utf8')).toContain(`test('${title}'`)
})

test('all stacks except the canary are deployed in order, each in the GitHub environment of its tier', () => {
  const { test: tests, ...jobs } = workflow('deploy').jobs
  expect(tests?.uses).toBe('./.github/workflows/ci.yml')
  const order = ['media-stage', 'site-stage', 'media-prod', 'site-prod'] as const
  expect(Object.keys(jobs)).toEqual(order)
  expect([...order, 'site-stage-mk2'].toSorted()).toEqual(stacks.toSorted())
  order.forEach((stack, index) => {
    expect(jobs[stack]).toMatchObject({
      needs: expect.arrayContaining([order[index - 1] ?? 'test']),
      uses: './.github/workflows/up.yml',
      with: { stack, environment: environments[stack].tier.name },
    })
  })
})

test.each([
  ['media-prod', 'media-stage'],
  ['site-prod', 'site-stage'],
] as const)('%s may only deploy the release that %s has just deployed', (stack, promoted) => {
  const job = workflow('deploy').jobs[stack]
  expect(environments[stack]).toMatchObject({ promotes: promoted })
  expect(job?.needs).toContain(promoted)
  expect(job?.with?.release).toBe(`\${{ needs.${promoted}.outputs.release }}`)
  const steps = workflow('up').jobs.up?.steps ?? []
  for (const command of ['pulumi preview', 'pulumi up'])
    expect(steps.find(({ run }) => run?.includes(command))?.run).toContain(
      '--config "RELEASE_SHA256=$RELEASE"',
    )
})

test('the canary is deployed on demand, by a separate workflow', () => {
  const { on, jobs } = workflow('canary')
  expect(on).toEqual({ workflow_dispatch: null })
  expect(jobs).toMatchObject({
    'site-stage-mk2': {
      uses: './.github/workflows/up.yml',
      with: { stack: 'site-stage-mk2', environment: 'stage' },
    },
  })
})

test.each(['up', 'drift'])('%s fetches the CLI before any step that has a secret', (name) => {
  const steps = Object.values(workflow(name).jobs).flatMap((job) => job.steps)
  const fetched = steps.findIndex(({ run }) => run?.includes('npx pulumi plugin install'))
  const secret = steps.findIndex(({ env }) => JSON.stringify(env ?? {}).includes('secrets.'))
  expect(fetched).toBeGreaterThan(-1)
  expect(secret).toBeGreaterThan(fetched)
})

test('no update skips its preview', () => {
  expect(workflow('up').source).not.toContain('--skip-preview')
})

test('updates of a stack run one at a time and are never cancelled', () => {
  expect(workflow('up').jobs.up?.concurrency).toEqual({
    group: expect.stringMatching(/^up-.*inputs\.stack/),
    'cancel-in-progress': false,
  })
  expect(workflow('deploy').concurrency).toBeUndefined()
})

test('every stack is checked for drift, in the read-only GitHub environment of its tier', () => {
  expect(workflow('drift').jobs.check?.strategy?.matrix.include).toEqual(
    stacks.map((stack) => ({ stack, environment: `${environments[stack].tier.name}-read` })),
  )
})
