import * as z from 'zod/mini'
import { Slug } from '../../contract/primitives.ts'
import {
  SitemapParameters,
  SitemapResponse,
  SitemapUrl,
  StaticPage,
} from '../../contract/sitemap.ts'
import type { Cursors, SortKey } from '../cursor.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import { repair } from '../omissions/repair.ts'
import { type ReportOmission, withSourceRow } from '../omissions/source-row.ts'
import {
  readSitemap,
  readStaticPages,
  type SitemapEntry,
  type SitemapQuery,
  toSortKey,
} from './queries.ts'
import { parseSince } from './since.ts'

export const createSitemapEndpoint = (query: Query, cursors: Cursors) =>
  defineEndpoint({
    policy: 'sitemap',
    path: '/sitemap',
    summary: 'URLs of content and of static pages, oldest first',
    parameters: SitemapParameters,
    response: SitemapResponse,
    read: async ({ site, parameters: { since, limit, cursor }, report }) => {
      const start = parseSince(since)
      const listKey = JSON.stringify(['sitemap', site.id, start?.getTime() ?? null])
      const after = cursor === undefined ? undefined : await cursors.read(cursor, listKey)
      const staticPages = after ? [] : await readStaticPages(query, site)
      const part = { site, since: start, limit, after }
      const toCursor = (sortKey: SortKey) => cursors.write(sortKey, listKey)
      return { type: 'pieces', pieces: streamJson(query, part, { staticPages, toCursor, report }) }
    },
  })

interface StreamContext {
  staticPages: StaticPage[]
  toCursor(sortKey: SortKey): Promise<string>
  report: ReportOmission
}

/** Rows per query. */
const BATCH = 2500
const Entries = z.compile(z.array(z.strictObject({ ...SitemapUrl.shape, slug: Slug })))

/** Yields the response as pieces of JSON, one per batch of rows; at most two batches are in memory. */
async function* streamJson(
  query: Query,
  part: SitemapQuery,
  context: StreamContext,
): AsyncGenerator<string> {
  let count = 0
  let separator = ''
  let last: SitemapEntry | undefined
  let hasMore = false
  yield '{"urls":['
  // One entry more than the limit shows that there is a next part.
  for await (const batch of readBatches(query, { ...part, limit: part.limit + 1 })) {
    const entries = batch.slice(0, part.limit - count)
    count += entries.length
    hasMore = entries.length < batch.length
    last = entries.at(-1) ?? last
    const urls = toUrls(entries, context.report)
    if (urls.length > 0) yield separator + JSON.stringify(urls).slice(1, -1)
    if (urls.length > 0) separator = ','
  }
  const next_cursor = hasMore && last ? await context.toCursor(toSortKey(last)) : null
  const static_pages = repair(z.array(StaticPage), context.staticPages, context.report)
  yield `],${JSON.stringify({ static_pages, next_cursor }).slice(1)}`
}

/** Returns the valid entries without their slugs. The entries are marked with their rows only if one is invalid. */
function toUrls(entries: SitemapEntry[], report: ReportOmission): SitemapUrl[] {
  const valid =
    Entries.safeParse(entries).data ??
    repair(
      Entries,
      entries.map((entry) => withSourceRow('articles', entry.id, entry)),
      report,
    )
  return valid.map(toSitemapUrl)
}

// Removes the slug. Rest properties would take several times as long.
function toSitemapUrl(entry: SitemapEntry): SitemapUrl {
  const { id, path, language, published_at, updated_at } = entry
  return { id, path, language, published_at, updated_at }
}

/** Yields batches; reads the next batch while the caller processes the current one. */
async function* readBatches(query: Query, part: SitemapQuery): AsyncGenerator<SitemapEntry[]> {
  let { after, limit: remaining } = part
  let next = read()
  while (true) {
    const batch = await next
    const last = batch.at(-1)
    remaining -= batch.length
    if (!last || remaining === 0 || batch.length < BATCH) return yield batch
    after = toSortKey(last)
    next = read()
    yield batch
  }

  function read(): Promise<SitemapEntry[]> {
    const batch = readSitemap(query, { ...part, after, limit: Math.min(BATCH, remaining) })
    // The failure is handled where the batch is awaited.
    batch.catch(() => {})
    return batch
  }
}
