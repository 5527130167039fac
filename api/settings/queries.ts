import type { Prisma, PrismaClient } from '../../prisma/generated/client.ts'
import type { SiteState } from '../site/resolve.ts'

const PICTURES = { logo: true, socialImage: true } as const
const BY_POSITION = [{ position: 'asc' }, { id: 'asc' }] as const

/** Reads all that the settings of a site are made of. */
export async function readSettings(prisma: PrismaClient, { id: siteId }: SiteState) {
  const where = { siteId }
  const [defaults, own, languages, navigation, categories, tags] = await Promise.all([
    prisma.globalSettings.findFirst({ include: PICTURES }),
    prisma.siteSettings.findFirst({ where, include: PICTURES }),
    prisma.siteLanguage.findMany({ where, orderBy: [{ position: 'asc' }, { code: 'asc' }] }),
    prisma.navigationItem.findMany({ where, orderBy: [{ area: 'desc' }, ...BY_POSITION] }),
    prisma.category.findMany({ where, orderBy: [...BY_POSITION], include: { parent: true } }),
    prisma.tag.findMany({ where, orderBy: [{ slug: 'asc' }, { language: 'asc' }] }),
  ])
  return { defaults, own, languages, navigation, categories, tags }
}

export type SettingsRecords = Awaited<ReturnType<typeof readSettings>>

/** Every template element with what a theme and a site put in its place. */
export function readTemplates(prisma: PrismaClient, siteId: number, theme: string) {
  return prisma.templateElement.findMany({
    orderBy: { key: 'asc' },
    include: { blocks: { where: { theme } }, overrides: { where: { siteId } } },
  })
}

export type TemplateRecord = Prisma.TemplateElementGetPayload<{
  include: { blocks: true; overrides: true }
}>
