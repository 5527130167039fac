import { expect, it } from 'vitest'
import { createAws } from './aws-provider.ts'

const declare = (type: string, name: string) => ({
  urn: `urn:pulumi:stage::cms-edge::aws:${type}::${name}`,
  id: '',
  type: `aws:${type}`,
  name,
  inputs: { bucket: name, function: 'api' },
})
const bucket = declare('s3/bucket:Bucket', 'pictures')
const permission = declare('lambda/permission:Permission', 'rejected')

/** Opens an account whose local services reject the resource named `rejected`. */
function openAws() {
  const aws = createAws({
    saved: [],
    toContext: () => ({ seed: 'seed', region: 'eu-central-1' }),
    async onChange() {
      if (aws.all().some(({ name }) => name === 'rejected')) throw new Error('not supported')
    },
  })
  return aws
}

it('creates, updates, reads and deletes resources, and returns them in the format of captures', async () => {
  const aws = openAws()
  const { id, outputs } = await aws.create(bucket)
  expect({ id, arn: outputs.arn }).toEqual({ id: 'pictures', arn: 'arn:aws:s3:::pictures' })
  expect(aws.captures()).toMatchObject([{ stack: 'stage', resources: [{ id, outputs }] }])
  await aws.update({ ...bucket, id, inputs: { bucket: 'pictures', tags: 'new' } })
  expect(aws.read({ ...bucket, id })?.inputs).toMatchObject({ tags: 'new' })
  await aws.delete({ ...bucket, id })
  expect(aws.read({ ...bucket, id })).toBeUndefined()
})

it('does not keep a resource that the local services reject, and keeps the others', async () => {
  const aws = openAws()
  const results = await Promise.allSettled([aws.create(permission), aws.create(bucket)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(aws.all().map(({ name }) => name)).toEqual(['pictures'])
})

it('rejects a resource type that captures do not support', async () => {
  await expect(openAws().create(declare('sqs/queue:Queue', 'q'))).rejects.toThrow(
    'The local AWS does not support the resource type aws:sqs/queue:Queue.',
  )
})
