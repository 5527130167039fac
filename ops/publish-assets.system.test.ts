import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const execute = promisify(execFile)
const { url, bucket, editor, reader } = inject('store')
const editorClient = new AwsClient({ ...editor, service: 's3', region: 'us-east-1' })
const command = join(import.meta.dirname, 'publish-assets.ts')

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-edge-publish-'))
  const config = `config:\n  cms-edge:STORE_BUCKET: ${bucket}\n  cms-edge:STORE_REGION: us-east-1\n`
  await writeFile(join(folder, 'Pulumi.media-stage.yaml'), config)
  await writeFile(join(folder, 'Pulumi.site-stage.yaml'), 'config: {}\n')
})

afterAll(() => rm(folder, { recursive: true }))

async function publish(stack: string, credential: Partial<typeof editor> = editor) {
  const { accessKeyId, secretAccessKey } = credential
  const env = {
    STORE_ENDPOINT: url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  }
  const { stdout } = await execute(process.execPath, [command, stack], { cwd: folder, env })
  return stdout.trim().split('\n')
}

const head = async (key: string) =>
  (await editorClient.fetch(`${url}/${bucket}/${key}`, { method: 'HEAD' })).headers

test('uploads stylesheets and fonts only once', async () => {
  const first = await publish('media-stage')
  const keys = first.slice(0, -1)
  expect(keys).toContain('css/harbour/1.0.0.css')
  expect(keys.filter((key) => key.startsWith('fonts/')).length).toBeGreaterThan(3)
  expect(first.at(-1)).toBe(`${bucket}: ${keys.length} uploaded, 0 unchanged.`)
  expect((await head('css/harbour/1.0.0.css')).get('content-type')).toBe('text/css; charset=utf-8')
  expect(await publish('media-stage')).toEqual([`${bucket}: 0 uploaded, ${keys.length} unchanged.`])
})

test('replaces a font whose stored content differs, but never a published version of a stylesheet', async () => {
  const put = (key: string) =>
    editorClient.fetch(`${url}/${bucket}/${key}`, { method: 'PUT', body: 'x' })
  const font = 'fonts/libre-franklin-latin-wght-normal.woff2'
  await put(font)
  expect(await publish('media-stage')).toContain(font)
  await put('css/meridian/1.0.0.css')
  await expect(publish('media-stage')).rejects.toThrow('Give the change a new version')
})

test.each([
  ['a stack without a bucket', 'site-stage', editor, 'has no STORE_BUCKET'],
  ['a stack that does not exist', 'media-test', editor, 'media-stage, media-prod'],
  ['no credentials', 'media-stage', {}, 'Set AWS_ACCESS_KEY_ID'],
  ['unknown credentials', 'media-stage', { ...editor, accessKeyId: 'AKIANOBODY' }, 'may not read'],
])('fails with a reason for %s', async (_, stack, credential, message) => {
  await expect(publish(stack, credential)).rejects.toThrow(message)
})

test('fails with read-only credentials and names the missing permission', async () => {
  const stylesheet = `${url}/${bucket}/css/harbour/1.0.0.css`
  await editorClient.fetch(stylesheet, { method: 'DELETE' })
  await expect(publish('media-stage', reader)).rejects.toThrow('may not write it')
})
