import { readFile } from 'node:fs/promises'
import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { readAssets, type StoredObject } from '../themes/assets.ts'
import { type Bucket, type BucketAddress, openBucket } from './lib/bucket.ts'
import { runCommand } from './lib/command-line.ts'
import { parseStack } from './lib/stack.ts'

const command = {
  invocation: 'npm run publish-assets --',
  positionals: ['<stack>'],
  summary: `Uploads stylesheets and fonts to the bucket of a media stack; what is there already stays.
Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN; STORE_ENDPOINT names another store.`,
  options: { demo: { type: 'boolean', description: "the demo's pictures too" } },
  exitCodes: { 0: 'all objects are in the bucket', 1: 'an object could not be uploaded' },
} as const

const StackFile = z.object({
  config: z.object({
    'cms-edge:STORE_BUCKET': z.string(),
    'cms-edge:STORE_REGION': z.string(),
    'cms-edge:STORE_ENDPOINT': z.optional(z.string()),
  }),
})

await runCommand(command, async ({ values, positionals }) => {
  const address = await readAddress(parseStack(positionals[0]), process.env.STORE_ENDPOINT)
  const bucket = openBucket(address, process.env)
  const count = { uploaded: 0, there: 0 }
  for await (const object of values.demo ? readDemo() : readAssets())
    count[await publish(bucket, object)] += 1
  console.log(`${address.bucket}: ${count.uploaded} uploaded, ${count.there} were there.`)
})

async function readAddress(stack: string, endpoint: string | undefined): Promise<BucketAddress> {
  const file = `Pulumi.${stack}.yaml`
  const { data } = StackFile.safeParse(yaml.parse(await readFile(file, 'utf8')))
  if (!data) throw new Error(`${file} names no bucket: publish to media-stage or media-prod.`)
  return {
    bucket: data.config['cms-edge:STORE_BUCKET'],
    region: data.config['cms-edge:STORE_REGION'],
    endpoint: endpoint ?? data.config['cms-edge:STORE_ENDPOINT'],
  }
}

async function* readDemo(): AsyncGenerator<StoredObject> {
  const { readDemoObjects } = await import('../demo/objects.ts')
  yield* readDemoObjects()
}

async function publish(bucket: Bucket, asset: StoredObject): Promise<'uploaded' | 'there'> {
  const found = await bucket.compare(asset)
  if (found === 'same') return 'there'
  if (found === 'other' && isVersioned(asset.key))
    throw new Error(
      `${asset.key} is published with another content, which browsers keep without asking: give the change a new version.`,
    )
  await bucket.put(asset)
  console.log(asset.key)
  return 'uploaded'
}

function isVersioned(key: string): boolean {
  return key.startsWith('css/')
}
