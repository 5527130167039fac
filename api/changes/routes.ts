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
  // The database was restored, so its revisions cannot be compared with those that the caller has.
  if (restore_id !== undefined && restore_id !== site.restoreId) return toResetResponse(site)
  // The first request of a caller only asks for the newest revision.
  if (after === undefined) return toEmptyResponse(site)
  return readChanges(query, { site, after, limit })
}
