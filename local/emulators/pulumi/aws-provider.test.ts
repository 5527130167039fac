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
const permission = declare('lambda/permission:Permission', 'refused')

/** An account that this machine follows in everything but permissions. */
function open() {
  const aws = createAws({
    saved: [],
    toContext: () => ({ seed: 'seed', region: 'eu-central-1' }),
    async onChange() {
      if (aws.all().some(({ name }) => name === 'refused')) throw new Error('out of order')
    },
  })
  return aws
}

it('returns its resources in the format of captures', async () => {
  const aws = open()
  const { id, outputs } = await aws.create(bucket)
  expect({ id, arn: outputs.arn }).toEqual({ id: 'pictures', arn: 'arn:aws:s3:::pictures' })
  expect(aws.captures()).toMatchObject([{ stack: 'stage', resources: [{ id, outputs }] }])
  await aws.update({ ...bucket, id, inputs: { bucket: 'pictures', tags: 'new' } })
  expect(aws.read({ ...bucket, id })?.inputs).toMatchObject({ tags: 'new' })
  await aws.delete({ ...bucket, id })
  expect(aws.read({ ...bucket, id })).toBeUndefined()
})

it('rejects and forgets a resource that the local services reject, and keeps the others', async () => {
  const aws = open()
  const made = await Promise.allSettled([aws.create(permission), aws.create(bucket)])
  expect(made.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(aws.all().map(({ name }) => name)).toEqual(['pictures'])
})

it('supports the same types as captures', async () => {
  await expect(open().create(declare('sqs/queue:Queue', 'q'))).rejects.toThrow(
    'The local AWS does not support the resource type aws:sqs/queue:Queue.',
  )
})
