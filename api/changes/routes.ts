import { ChangesParameters, ChangesResponse } from '../../contract/changes.ts'
import { defineEndpoint } from '../endpoint.ts'
import { type ChangeLog, readChanges } from './queries.ts'

export const createChangesEndpoint = (log: ChangeLog) =>
  defineEndpoint({
    policy: 'changes',
    path: '/changes',
    summary: 'What changed on a site since a revision',
    parameters: ChangesParameters,
    answer: ChangesResponse,
    read: async ({ site, parameters: { after, limit } }) => ({
      type: 'value',
      value:
        after === undefined
          ? { revision: site.revision, reset: false, settings: false, articles: [] }
          : await readChanges(log, { site, after, limit }),
    }),
  })
