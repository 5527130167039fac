import { type PublishedObject, readAssets } from '../themes/assets.ts'
import { readBucket } from './lib/backend.ts'
import { type BucketClient, openBucket } from './lib/bucket.ts'
import { runCommand } from './lib/command-line.ts'
import { needsUpload } from './lib/publish-objects.ts'
import { parseStack } from './lib/stack.ts'

const COMMAND = {
  invocation: 'npm run publish-assets --',
  positionals: ['<stack>'],
  summary: `Uploads new and changed stylesheets and fonts to the bucket of a media stack. It deletes nothing.
Credentials: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN. STORE_ENDPOINT sets another store.`,
  options: { demo: { type: 'boolean', description: "also upload the demo's pictures" } },
  exitCodes: { 0: 'all objects are in the bucket', 1: 'an object could not be uploaded' },
} as const

await runCommand(COMMAND, async ({ values, positionals }) => {
  const address = await readBucket(parseStack(positionals[0]), process.env.STORE_ENDPOINT)
  const bucket = openBucket(address, process.env)
  const count = { uploaded: 0, unchanged: 0 }
  for await (const object of values.demo ? readDemo() : readAssets())
    count[await publish(bucket, object)] += 1
  console.log(`${address.bucket}: ${count.uploaded} uploaded, ${count.unchanged} unchanged.`)
})

async function* readDemo(): AsyncGenerator<PublishedObject> {
  const { readDemoObjects } = await import('../demo/objects.ts')
  yield* readDemoObjects()
}

async function publish(
  bucket: BucketClient,
  asset: PublishedObject,
): Promise<'uploaded' | 'unchanged'> {
  if (!(await needsUpload(bucket, asset))) return 'unchanged'
  await bucket.put(asset)
  console.log(asset.key)
  return 'uploaded'
}
