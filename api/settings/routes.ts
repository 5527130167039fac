import { SettingsBundle, SettingsParameters } from '../../contract/settings.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import { toSettingsBundle } from './bundle.ts'
import { mergeColumns, toTheme } from './columns.ts'
import { readSettings, readTemplates } from './queries.ts'
import { resolveTemplates } from './templates.ts'

export const createSettingsEndpoint = (query: Query) =>
  defineEndpoint({
    policy: 'settings',
    path: '/settings',
    summary: 'Settings, navigation and templates of a site',
    parameters: SettingsParameters,
    response: SettingsBundle,
    read: async ({ site, parameters: { language }, report }) => {
      const rows = await readSettings(query, site)
      const columns = mergeColumns(rows, site, report)
      const elements = await readTemplates(query, site.id, toTheme(columns))
      const templates = resolveTemplates(elements, language, report)
      const value = toSettingsBundle({ site, rows, columns, templates, language, report })
      return { type: 'value', value }
    },
  })
