import { expect, test } from 'vitest'
import { createIamToken } from './database.ts'

// Computed by @aws-sdk/rds-signer for the same credentials at the same instant.
const SIGNATURE = '17893a48aa033155772253956d449960da4d369152da26f7e829508fdfa64361'

test('an IAM token has the signature that the AWS SDK computes', async () => {
  const token = await createIamToken(
    {
      type: 'iam',
      DATABASE_HOST: 'db.example.eu-central-1.rds.amazonaws.com',
      DATABASE_PORT: 5432,
      DATABASE_NAME: 'cms',
      DATABASE_USER: 'cms_api',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
      AWS_SESSION_TOKEN: 'session/token+with=signs',
    },
    '20261121T080000Z',
  )
  expect(token).toMatch(/^db\.example\.eu-central-1\.rds\.amazonaws\.com:5432\/\?/)
  const query = new URLSearchParams(token.split('?')[1])
  expect(Object.fromEntries(query)).toMatchObject({
    Action: 'connect',
    DBUser: 'cms_api',
    'X-Amz-Expires': '900',
    'X-Amz-Signature': SIGNATURE,
  })
})
