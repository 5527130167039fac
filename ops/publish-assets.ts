import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import * as yaml from 'yaml'
import * as z from 'zod/mini'
import { readAssets, type StoredObject } from '../themes/assets.ts'
import { type Bucket, type BucketAddress, openBucket } from './lib/bucket.ts'
import { run } from './lib/environment.ts'
import { parseStack } from './lib/stack.ts'

const USAGE = 'Usage: npm run publish-assets -- <stack> [--demo]'

const StackFile = z.object({
  config: z.object({
    'cms-edge:STORE_BUCKET': z.string(),
    'cms-edge:STORE_REGION': z.string(),
    'cms-edge:STORE_ENDPOINT': z.optional(z.string()),
  }),
})

await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { demo: { type: 'boolean' } },
  })
  const address = await readAddress(parseStack(positionals[0]), process.env.STORE_ENDPOINT)
  const bucket = openBucket(address, process.env)
  const count = { uploaded: 0, there: 0 }
  for await (const object of values.demo ? readDemo() : readAssets())
    count[await publish(bucket, object)] += 1
  console.log(`${address.bucket}: ${count.uploaded} uploaded, ${count.there} were there.`)
}, USAGE)

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
