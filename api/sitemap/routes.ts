import * as z from 'zod/mini'
import {
  SitemapParameters,
  SitemapResponse,
  SitemapUrl,
  StaticPage,
} from '../../contract/sitemap.ts'
import type { Cursors, Position } from '../cursor.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import { readSitemap, readStaticPages, type SitemapQuery, toPosition } from './queries.ts'
import { parseSince } from './since.ts'

export const createSitemapEndpoint = (query: Query, cursors: Cursors) =>
  defineEndpoint({
    policy: 'sitemap',
    path: '/sitemap',
    summary: 'URLs of content and of static pages, oldest first',
    parameters: SitemapParameters,
    answer: SitemapResponse,
    read: async ({ site, parameters: { since, limit, cursor } }) => {
      const start = parseSince(since)
      const binding = JSON.stringify(['sitemap', site.id, start?.getTime() ?? null])
      const after = cursor === undefined ? undefined : await cursors.read(cursor, binding)
      const pages = after ? [] : await readStaticPages(query, site)
      const part = { site, since: start, limit, after }
      const write = (position: Position) => cursors.write(position, binding)
      return { type: 'pieces', pieces: toPieces(query, part, { pages, write }) }
    },
  })

interface Rest {
  pages: StaticPage[]
  write(position: Position): Promise<string>
}

const BATCH = 2500
const Urls = z.compile(z.array(SitemapUrl))

/** The answer as JSON, a batch at a time: no more than two of them are held as rows. */
async function* toPieces(query: Query, part: SitemapQuery, rest: Rest): AsyncGenerator<string> {
  let sent = 0
  let last: SitemapUrl | undefined
  let more = false
  yield '{"urls":['
  // One beyond the limit tells whether there is a next part.
  for await (const batch of readBatches(query, { ...part, limit: part.limit + 1 })) {
    const urls = Urls.parse(batch.slice(0, part.limit - sent))
    if (urls.length > 0) yield (sent > 0 ? ',' : '') + JSON.stringify(urls).slice(1, -1)
    sent += urls.length
    more = urls.length < batch.length
    last = urls.at(-1) ?? last
  }
  const next_cursor = more && last ? await rest.write(toPosition(last)) : null
  yield `],${JSON.stringify({ static_pages: z.array(StaticPage).parse(rest.pages), next_cursor }).slice(1)}`
}

/** Reads the next batch while its caller is busy with this one. */
async function* readBatches(query: Query, part: SitemapQuery): AsyncGenerator<SitemapUrl[]> {
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

  function read(): Promise<SitemapUrl[]> {
    const batch = readSitemap(query, { ...part, after, limit: Math.min(BATCH, remaining) })
    // Its failure is met where it is awaited, if it still is.
    batch.catch(() => {})
    return batch
  }
}
