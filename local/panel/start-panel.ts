import { once } from 'node:events'
import { relative } from 'node:path'
import { serve } from '@hono/node-server'
import type { DeployedEnvironment } from '../deploy/environments.ts'
import type { CloudflareAccount } from '../emulators/cloudflare/account.ts'
import type { CapturedStack } from '../emulators/pulumi/captured-stack.ts'
import { derive } from '../emulators/pulumi/stub-context.ts'
import type { StartContext } from '../services.ts'
import type { Faults } from './faults.ts'
import { createPanel } from './panel.ts'
import { toDeclaredResources } from './resources.ts'

interface PanelInputs {
  cloudflare: CloudflareAccount
  environments: () => readonly DeployedEnvironment[]
  captures: () => readonly CapturedStack[]
  logLines: () => readonly string[]
  faults: Faults
}

/** Serves the panel on a separate port, to which the edge's router forwards `http://localhost`. */
export async function startPanel(context: StartContext, inputs: PanelInputs): Promise<void> {
  const { addresses, dataFolder, cleanup } = context
  const { fetch } = createPanel({
    ...inputs,
    edgePort: addresses.edgePort,
    edgeToken: derive(dataFolder.secretSeed, 'edge'),
    resources: () => toDeclaredResources(inputs.captures()),
    apiUrls: addresses.apiUrls,
    logs: relative('', dataFolder.logs),
    notices: () => [...context.notices.values()],
  })
  if (cleanup.disposed) return
  const server = serve({ fetch, port: addresses.panelPort, hostname: '127.0.0.1' })
  cleanup.defer(async () => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await once(server, 'close')
  })
  await once(server, 'listening')
}
