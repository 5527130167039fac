import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { writeEnvironmentFile } from './environment-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'cms-edge-env-'))
const file = join(folder, 'env')
afterAll(() => rm(folder, { recursive: true }))

test.each([
  'postgresql://cms_owner:a%20b@127.0.0.1:5432/cms?sslmode=disable&options=-c%20a',
  'a $value with `spaces`; and "quotes" \\ # more',
  "it's one",
])('a shell and a dotenv parser read the same value: %s', async (url) => {
  await writeEnvironmentFile(file, {
    environments: [],
    cloudflare: { scripts: new Map() } as never,
    edgePort: 1,
    databaseUrls: { 'site-stage': url },
    extraVariables: {},
  })
  const { SITE_STAGE_DATABASE_URL: parsed } = parseEnv(await readFile(file, 'utf8'))
  const print = 'source "$0" && printf %s "$SITE_STAGE_DATABASE_URL"'
  const { stdout } = await promisify(execFile)('bash', ['-c', print, file])
  expect([parsed, stdout]).toEqual([url, url])
})
