import { SettingsBundle, SettingsParameters } from '../../contract/settings.ts'
import type { PrismaClient } from '../../prisma/generated/client.ts'
import { defineEndpoint } from '../endpoint.ts'
import { mergeColumns, toSettingsBundle, toTheme } from './bundle.ts'
import { readSettings, readTemplates } from './queries.ts'
import { resolveTemplates } from './templates.ts'

export const createSettingsEndpoint = (prisma: PrismaClient) =>
  defineEndpoint({
    policy: 'settings',
    path: '/settings',
    summary: 'What every page of a site needs',
    parameters: SettingsParameters,
    answer: SettingsBundle,
    read: async ({ site, parameters: { language } }) => {
      const records = await readSettings(prisma, site)
      const columns = mergeColumns(records)
      const elements = await readTemplates(prisma, site.id, toTheme(columns))
      const templates = resolveTemplates(elements, language)
      const value = toSettingsBundle({ site, records, columns, templates, language })
      return { type: 'value', value }
    },
  })
