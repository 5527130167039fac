import { ChangesParameters, ChangesResponse } from '../../contract/changes.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import type { SiteState } from '../site/resolve.ts'
import { readChanges, toEmptyResponse, toResetResponse } from './changes.ts'

export const createChangesEndpoint = (query: Query) =>
  defineEndpoint({
    policy: 'changes',
    path: '/changes',
    summary: 'Changes of a site since a revision',
    parameters: ChangesParameters,
    response: ChangesResponse,
    read: async ({ site, parameters }) => ({
      type: 'value',
      value: await read(query, site, parameters),
    }),
  })

async function read(
  query: Query,
  site: SiteState,
  { after, limit, restore_id }: ChangesParameters,
): Promise<ChangesResponse> {
  if (restore_id !== undefined && restore_id !== site.restoreId) return toResetResponse(site)
  if (after !== undefined) return readChanges(query, { site, after, limit })
  return toEmptyResponse(site)
}
