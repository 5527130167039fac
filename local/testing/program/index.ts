import * as aws from '@pulumi/aws'
import * as cloudflare from '@pulumi/cloudflare'
import * as pulumi from '@pulumi/pulumi'

// Program of the tests of captures. Its config selects a greeting, a stack to refer to, and errors.
const config = new pulumi.Config()
const refersTo = config.get('REFERS_TO')
const accountId = 'account'

const kv = new cloudflare.WorkersKvNamespace('kv', { accountId, title: 'kv' }, { protect: true })
const key = new aws.iam.AccessKey('key', { user: 'reader' })
new cloudflare.WorkersScript('script', {
  accountId,
  scriptName: 'script',
  bindings: [
    { name: 'GREETING', type: 'plain_text', text: config.require('GREETING') },
    { name: 'KEY', type: 'secret_text', text: key.secret },
    { name: 'KV', type: 'kv_namespace', namespaceId: kv.id },
  ],
})

if (config.getBoolean('UNKNOWN_TYPE')) {
  new cloudflare.ZoneSetting('zone', { zoneId: 'zone', settingId: 'brotli', value: 'on' })
}
if (config.getBoolean('UNKNOWN_DATA_SOURCE'))
  await cloudflare.getZone({ filter: { name: 'a.example' } })
if (config.getBoolean('THROW')) throw new Error('the program cannot go on')

export const greeting = config.require('GREETING')
export const secret = config.getSecret('SECRET')
export const referred =
  refersTo && new pulumi.StackReference(`organization/recorded/${refersTo}`).getOutput('secret')
