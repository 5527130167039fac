import * as z from 'zod/mini'
import { Slug } from '../../contract/primitives.ts'
import {
  SitemapParameters,
  SitemapResponse,
  SitemapUrl,
  StaticPage,
} from '../../contract/sitemap.ts'
import type { Cursors, Position } from '../cursor.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import { repair } from '../omissions/repair.ts'
import { fromRow, type Report } from '../omissions/row-origin.ts'
import {
  readSitemap,
  readStaticPages,
  type SitemapEntry,
  type SitemapQuery,
  toPosition,
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
      const binding = JSON.stringify(['sitemap', site.id, start?.getTime() ?? null])
      const after = cursor === undefined ? undefined : await cursors.read(cursor, binding)
      const pages = after ? [] : await readStaticPages(query, site)
      const part = { site, since: start, limit, after }
      const toCursor = (position: Position) => cursors.write(position, binding)
      return { type: 'pieces', pieces: streamJson(query, part, { pages, toCursor, report }) }
    },
  })

interface StreamContext {
  pages: StaticPage[]
  toCursor(position: Position): Promise<string>
  report: Report
}

const BATCH = 2500
const Entries = z.compile(z.array(z.strictObject({ ...SitemapUrl.shape, slug: Slug })))

/** Yields the response as JSON, one batch at a time; at most two batches are in memory as rows. */
async function* streamJson(
  query: Query,
  part: SitemapQuery,
  context: StreamContext,
): AsyncGenerator<string> {
  let read = 0
  let comma = ''
  let last: SitemapEntry | undefined
  let more = false
  yield '{"urls":['
  // One entry beyond the limit shows that there is a next part.
  for await (const batch of readBatches(query, { ...part, limit: part.limit + 1 })) {
    const entries = batch.slice(0, part.limit - read)
    read += entries.length
    more = entries.length < batch.length
    last = entries.at(-1) ?? last
    const urls = toUrls(entries, context.report)
    if (urls.length > 0) yield comma + JSON.stringify(urls).slice(1, -1)
    if (urls.length > 0) comma = ','
  }
  const next_cursor = more && last ? await context.toCursor(toPosition(last)) : null
  const static_pages = repair(z.array(StaticPage), context.pages, context.report)
  yield `],${JSON.stringify({ static_pages, next_cursor }).slice(1)}`
}

/** Returns the entries that match the contract. */
function toUrls(entries: SitemapEntry[], report: Report): SitemapUrl[] {
  const whole = Entries.safeParse(entries)
  const kept =
    whole.data ??
    repair(
      Entries,
      entries.map((entry) => fromRow('articles', entry.id, entry)),
      report,
    )
  return kept.map(({ slug: _, ...url }) => url)
}

/** Reads the next batch while its caller is busy with this one. */
async function* readBatches(query: Query, part: SitemapQuery): AsyncGenerator<SitemapEntry[]> {
  let { after, limit: remaining } = part
  let next = read()
  while (true) {
    const batch = await next
    const last = batch.at(-1)
    remaining -= batch.length
    if (!last || remaining === 0 || batch.length < BATCH) return yield batch
    after = toPosition(last)
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
