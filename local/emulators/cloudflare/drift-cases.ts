import type Client from 'cloudflare'
import { inAccount, patchSettings, readSettings, upload } from '../../testing/cloudflare-client.ts'
import type { Properties } from '../pulumi/values.ts'

const SITE_SCRIPT = 'cms-edge-worker-stage'
const CANARY_SCRIPT = 'cms-edge-worker-stage-mk2'
const MEDIA_SCRIPT = 'cms-edge-media-stage'

/** Returns the outputs of a captured stack. */
export type OutputsOf = (stack: string) => Properties

type Change = (client: Client, outputsOf: OutputsOf) => Promise<unknown>

/**
 * Changes made without Pulumi: title, stack, differences that the drift check must find, and the change. `<id>` is the
 * id of the stack's database.
 */
export const DRIFT_CASES: [title: string, stack: string, expected: string[], change: Change][] = [
  [
    'a changed variable',
    'site-stage',
    ['binding CMS_SITE_ID'],
    (client) =>
      editBindings(client, SITE_SCRIPT, (bindings) =>
        bindings.map((each) => (each.name === 'CMS_SITE_ID' ? { ...each, text: 'other' } : each)),
      ),
  ],
  [
    'a removed KV binding',
    'site-stage',
    ['binding KV'],
    (client) => editBindings(client, SITE_SCRIPT, (all) => all.filter(({ name }) => name !== 'KV')),
  ],
  [
    'an added binding',
    'site-stage',
    ['binding EXTRA'],
    (client) =>
      editBindings(client, SITE_SCRIPT, (all) => [
        ...all,
        { type: 'plain_text', name: 'EXTRA', text: '' },
      ]),
  ],
  [
    'an added secret',
    'site-stage',
    ['binding SPARE'],
    (client) =>
      client.workers.scripts.secrets.update(SITE_SCRIPT, {
        ...inAccount,
        name: 'SPARE',
        text: 'value',
        type: 'secret_text',
      }),
  ],
  [
    'a removed secret',
    'site-stage',
    ['binding CMS_API_KEY'],
    (client) =>
      client.workers.scripts.secrets.delete('CMS_API_KEY', {
        ...inAccount,
        script_name: SITE_SCRIPT,
      }),
  ],
  [
    'a route to another script',
    'site-stage',
    ['route stage.localhost/*'],
    async (client, outputsOf) => {
      const id = await findRoute(client, outputsOf, 'stage.localhost/*')
      const pattern = 'stage.localhost/*'
      await client.workers.routes.update(id, {
        ...zoneOf(outputsOf),
        pattern,
        script: CANARY_SCRIPT,
      })
    },
  ],
  [
    'a route with another pattern',
    'media-stage',
    ['route stage.localhost/cmp-media/*', 'route stage.localhost/media/*'],
    async (client, outputsOf) => {
      const id = await findRoute(client, outputsOf, 'stage.localhost/cmp-media/*')
      const pattern = 'stage.localhost/media/*'
      await client.workers.routes.update(id, {
        ...zoneOf(outputsOf),
        pattern,
        script: MEDIA_SCRIPT,
      })
    },
  ],
  [
    'an external route that precedes a route',
    'site-stage',
    ['route stage.localhost/*'],
    (client, outputsOf) => addExternalRoute(client, outputsOf, 'stage.localhost/news/*'),
  ],
  [
    'an external route that precedes the media route',
    'media-stage',
    ['route stage2.localhost/cmp-media/*'],
    (client, outputsOf) => addExternalRoute(client, outputsOf, 'stage2.localhost/cmp-media/css/*'),
  ],
  [
    'an external route that precedes a custom domain',
    'site-stage-mk2',
    ['route stage2.localhost/*'],
    (client, outputsOf) => addExternalRoute(client, outputsOf, '*.localhost/*'),
  ],
  [
    'changed content',
    'media-stage',
    ['script content'],
    async (client) => {
      const settings = await readSettings(client, MEDIA_SCRIPT)
      const bindings = settings.bindings?.map((each) => ({ type: 'inherit', name: each.name }))
      const { limits, observability } = settings
      await upload(client, MEDIA_SCRIPT, { bindings, limits, observability }, 'export default {}')
    },
  ],
  [
    'another compatibility date',
    'site-stage-mk2',
    ['script compatibility date'],
    (client) => patchSettings(client, CANARY_SCRIPT, { compatibility_date: '2026-01-01' }),
  ],
  [
    'an added compatibility flag',
    'site-stage',
    ['script compatibility flags'],
    (client) => patchSettings(client, SITE_SCRIPT, { compatibility_flags: ['nodejs_compat'] }),
  ],
  [
    'a removed CPU limit',
    'media-stage',
    ['script limits.cpuMs'],
    (client) => patchSettings(client, MEDIA_SCRIPT, { limits: {} }),
  ],
  [
    'caching switched on',
    'site-stage',
    ['script cacheOptions.enabled'],
    (client) => patchSettings(client, SITE_SCRIPT, { cache_options: { enabled: true } }),
  ],
  [
    'invocation logs switched on',
    'site-stage',
    ['script observability.logs.invocationLogs'],
    (client) =>
      patchSettings(client, SITE_SCRIPT, {
        observability: {
          enabled: true,
          logs: { enabled: true, invocation_logs: true },
        },
      }),
  ],
  [
    'a binding to another database',
    'site-stage',
    ['binding INVALIDATIONS'],
    async (client) => {
      const { uuid } = await client.d1.database.create({ ...inAccount, name: 'other' })
      await editBindings(client, SITE_SCRIPT, (bindings) =>
        bindings.map((each) =>
          each.type === 'd1' ? { type: 'd1', name: each.name, database_id: uuid } : each,
        ),
      )
    },
  ],
  [
    'a deleted database',
    'site-stage-mk2',
    ['database <id>'],
    (client, outputsOf) =>
      client.d1.database.delete(databaseOf(outputsOf, 'site-stage-mk2'), inAccount),
  ],
  [
    'an external route of equal precedence',
    'site-stage',
    ['route stage.localhost/*'],
    (client, outputsOf) => addExternalRoute(client, outputsOf, 'https://stage.localhost/*'),
  ],
  [
    'workers.dev switched on',
    'site-stage',
    [`workers.dev ${SITE_SCRIPT}`],
    (client) =>
      client.workers.scripts.subdomain.create(SITE_SCRIPT, { ...inAccount, enabled: true }),
  ],
  [
    'removed crons',
    'site-stage',
    [`cron ${SITE_SCRIPT}`],
    (client) => client.workers.scripts.schedules.update(SITE_SCRIPT, { ...inAccount, body: [] }),
  ],
  [
    'a custom domain that was moved to another script',
    'site-stage-mk2',
    ['custom domain stage2.localhost'],
    async (client, outputsOf) => {
      const { result } = await client.workers.domains.list(inAccount)
      await client.workers.domains.delete(result[0]?.id ?? '', inAccount)
      const moved = {
        ...inAccount,
        ...zoneOf(outputsOf),
        hostname: 'stage2.localhost',
        service: SITE_SCRIPT,
      }
      await client.workers.domains.update(moved)
    },
  ],
]

const zoneOf = (outputsOf: OutputsOf) => ({ zone_id: String(outputsOf('site-stage').zoneId) })

export const databaseOf = (outputsOf: OutputsOf, stack: string): string =>
  String(outputsOf(stack).invalidationsDatabaseId)

interface WireBinding {
  type: string
  name: string
  text?: string
  database_id?: string | undefined
}

/** Replaces the bindings of a script; its secrets stay. */
async function editBindings(
  client: Client,
  script: string,
  edit: (bindings: WireBinding[]) => WireBinding[],
): Promise<void> {
  const { bindings = [] } = await readSettings(client, script)
  const kept = bindings.map((binding) =>
    binding.type === 'secret_text' ? { type: 'inherit', name: binding.name } : binding,
  )
  await patchSettings(client, script, { bindings: edit(kept as WireBinding[]) })
}

/** Adds a route to a script that no stack declares. */
async function addExternalRoute(
  client: Client,
  outputsOf: OutputsOf,
  pattern: string,
): Promise<void> {
  await upload(client, 'external')
  await client.workers.routes.create({ ...zoneOf(outputsOf), pattern, script: 'external' })
}

async function findRoute(client: Client, outputsOf: OutputsOf, pattern: string): Promise<string> {
  const { result } = await client.workers.routes.list(zoneOf(outputsOf))
  return result.find((route) => route.pattern === pattern)?.id ?? 'none'
}
