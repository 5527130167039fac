import type pg from 'pg'
import type { EdgeFault } from '../emulators/edge/failing-services.ts'

/** Title and effect of each fault that the panel can inject. */
export const FAULTS = {
  'api-down': ['Read API down', 'Requests to the read API fail at once.'],
  'api-slow': ['Read API slow', 'Each response of the read API takes three seconds longer.'],
  'database-frozen': [
    'Database frozen',
    'Every request to the read API waits for a lock in the database.',
  ],
  'kv-failing': ['KV failing', 'Every KV operation of the site workers throws.'],
  'd1-failing': ['D1 failing', 'Every query of the invalidation log throws.'],
  'store-failing': [
    'Object store failing',
    'The object store responds to the media workers with 503.',
  ],
} as const satisfies Record<EdgeFault | 'database-frozen', readonly [title: string, effect: string]>

export type FaultName = keyof typeof FAULTS

export interface Faults {
  active(): ReadonlySet<FaultName>
  inject(name: FaultName): Promise<void>
  clear(name: FaultName): Promise<void>
}

interface FaultDeps {
  /** URLs of the read APIs' databases with the owner's credentials. */
  databaseUrls: () => readonly string[]
  /** Restarts the edge with the active faults. */
  reloadEdge: () => void
}

/** Creates the switches for faults; all but the frozen database change the edge's configuration. */
export function createFaults({ databaseUrls, reloadEdge }: FaultDeps): Faults {
  const active = new Set<FaultName>()
  let locks: readonly pg.Client[] = []
  return {
    active: () => active,
    async inject(name) {
      if (active.has(name)) return
      if (name === 'database-frozen') locks = await Promise.all(databaseUrls().map(lockSites))
      active.add(name)
      if (name !== 'database-frozen') reloadEdge()
    },
    async clear(name) {
      if (!active.delete(name)) return
      if (name !== 'database-frozen') return reloadEdge()
      await Promise.all(locks.map((client) => client.end()))
      locks = []
    },
  }
}

/** Returns the faults that the edge simulates. */
export const toEdgeFaults = (active: ReadonlySet<FaultName>): EdgeFault[] =>
  [...active].filter((name) => name !== 'database-frozen')

// For every request, the read API first selects the site. The lock ends when the returned client disconnects.
async function lockSites(connectionString: string): Promise<pg.Client> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  await client.query('BEGIN; LOCK TABLE sites IN ACCESS EXCLUSIVE MODE')
  return client
}
