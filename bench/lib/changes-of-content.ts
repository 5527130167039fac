export interface PageResponse {
  status: number
  location: string
  body: string
}

/** Runs SQL; returns its rows. */
type Query = (text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

/** A change that is not committed yet, and the check that its page shows it. */
interface PreparedChange {
  path: string
  commit(): Promise<unknown>
  isVisible(response: PageResponse): boolean
  /** Returns the time from which the delay counts, in milliseconds; by default the time of the commit. */
  from?: () => number
}

export interface Change {
  kind: string
  /** Description of the change. */
  changed: string
  /** Description of the response that shows it. */
  seen: string
  /** True when it also affects the pages of other changes. */
  isShared?: boolean
  /** Prepares the change; `mark` is a text that no page contains yet. */
  prepare(query: Query, mark: string): Promise<PreparedChange>
}

const SCHEDULE_DELAY_MS = 12_000

/** All kinds of content changes that pages must show. */
export const changes: readonly Change[] = [
  {
    kind: 'title',
    changed: "an article's title",
    seen: "the article's page",
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      return {
        path,
        commit: () => query('UPDATE articles SET title = $2 WHERE id = $1', [id, `new ${mark}`]),
        isVisible: ({ body }) => body.includes(`new ${mark}`),
      }
    },
  },
  {
    kind: 'author',
    changed: "an author's name",
    seen: "the pages of the author's articles",
    isShared: true,
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      const [author] = await query(
        `INSERT INTO authors (site_id, slug, name) SELECT id, $1, 'Old Name' FROM sites WHERE acronym = 'harbour' RETURNING id`,
        [mark],
      )
      await query('UPDATE articles SET author_id = $2 WHERE id = $1', [id, author?.id])
      return {
        path,
        commit: () =>
          query('UPDATE authors SET name = $2 WHERE id = $1', [author?.id, `Name ${mark}`]),
        isVisible: ({ body }) => body.includes(`Name ${mark}`),
      }
    },
  },
  {
    kind: 'category',
    changed: "a category's name",
    seen: "the category's page",
    isShared: true,
    async prepare(query, mark) {
      const [category] = await query(
        `INSERT INTO categories (site_id, slug, language, name) SELECT id, $1, 'en', 'Old' FROM sites WHERE acronym = 'harbour' RETURNING id`,
        [mark],
      )
      return {
        path: `/category/${mark}`,
        commit: () =>
          query('UPDATE categories SET name = $2 WHERE id = $1', [category?.id, `Name ${mark}`]),
        isVisible: ({ body }) => body.includes(`Name ${mark}`),
      }
    },
  },
  {
    kind: 'navigation',
    changed: 'an item of the navigation',
    seen: 'every page',
    isShared: true,
    async prepare(query, mark) {
      const { path } = await insertArticle(query, mark)
      return {
        path,
        commit: () =>
          query(
            `INSERT INTO navigation_items (site_id, area, label, path) SELECT id, 'header', $1, '/about' FROM sites WHERE acronym = 'harbour'`,
            [`Item ${mark}`],
          ),
        isVisible: ({ body }) => body.includes(`Item ${mark}`),
      }
    },
  },
  {
    kind: 'settings',
    changed: "the site's title",
    seen: 'every page',
    isShared: true,
    async prepare(query, mark) {
      const { path } = await insertArticle(query, mark)
      return {
        path,
        commit: () =>
          query(
            `UPDATE site_settings SET title = $1 WHERE site_id = (SELECT id FROM sites WHERE acronym = 'harbour')`,
            [`Post ${mark}`],
          ),
        isVisible: ({ body }) => body.includes(`Post ${mark}`),
      }
    },
  },
  {
    kind: 'template',
    changed: 'the source of a template',
    seen: 'every page that it renders',
    isShared: true,
    async prepare(query, mark) {
      const { path } = await insertArticle(query, mark)
      return {
        path,
        commit: () =>
          query(
            `UPDATE template_elements SET source = replace(source, '</article>', $1 || '</article>') WHERE key = 'article'`,
            [`<p>Line ${mark}</p>`],
          ),
        isVisible: ({ body }) => body.includes(`Line ${mark}`),
      }
    },
  },
  {
    kind: 'translation',
    changed: 'a translation is added',
    seen: 'the link on the page in the other language',
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      return {
        path,
        commit: () =>
          query(
            `INSERT INTO articles (site_id, slug, language, title, status, published_at, translation_group)
             SELECT site_id, $2, 'de', 'Titel', 'published', now(), translation_group FROM articles WHERE id = $1`,
            [id, `${mark}-de`],
          ),
        isVisible: ({ body }) => body.includes(`/de/${mark}-de`),
      }
    },
  },
  {
    kind: 'unpublish',
    changed: "`status = 'unpublished'`",
    seen: '404 at its path',
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      return {
        path,
        commit: () => query("UPDATE articles SET status = 'unpublished' WHERE id = $1", [id]),
        isVisible: ({ status }) => status === 404,
      }
    },
  },
  {
    kind: 'delete',
    changed: 'the row is deleted',
    seen: '410 at its path',
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      return {
        path,
        commit: () => query('DELETE FROM articles WHERE id = $1', [id]),
        isVisible: ({ status }) => status === 410,
      }
    },
  },
  {
    kind: 'rename',
    changed: "an article's slug",
    seen: '301 from the old path',
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      return {
        path,
        commit: () => query('UPDATE articles SET slug = $2 WHERE id = $1', [id, `${mark}-new`]),
        isVisible: ({ status, location }) => status === 301 && location.endsWith(`/${mark}-new`),
      }
    },
  },
  {
    kind: 'tag',
    changed: 'an article gets a tag',
    seen: "the article's page",
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      const tag = await insertTag(query, mark)
      return {
        path,
        commit: () => attachTag(query, id, tag),
        isVisible: ({ body }) => body.includes(`Tag ${mark}`),
      }
    },
  },
  {
    kind: 'related box',
    changed: "a related article's title",
    seen: 'the box on the other page',
    async prepare(query, mark) {
      const { id, path } = await insertArticle(query, mark)
      const other = await insertArticle(query, `${mark}-other`)
      const tag = await insertTag(query, mark)
      await attachTag(query, id, tag)
      await attachTag(query, other.id, tag)
      return {
        path,
        commit: () =>
          query('UPDATE articles SET title = $2 WHERE id = $1', [other.id, `new ${mark}`]),
        isVisible: ({ body }) => body.includes(`new ${mark}`),
      }
    },
  },
  {
    kind: 'scheduled',
    changed: '`published_at` passes',
    seen: 'the page at its path',
    async prepare(query, mark) {
      let publishedAt = 0
      return {
        path: `/${mark}`,
        commit: async () => {
          publishedAt = Date.now() + SCHEDULE_DELAY_MS
          await insertArticle(query, mark, new Date(publishedAt))
        },
        from: () => publishedAt,
        isVisible: ({ status }) => status === 200,
      }
    },
  },
]

async function insertArticle(
  query: Query,
  slug: string,
  publishedAt = new Date(Date.now() - 60_000),
) {
  const [row] = await query(
    `INSERT INTO articles (site_id, slug, language, title, body_html, status, published_at)
     SELECT id, $1, 'en', 'Old title', '<p>Text.</p>', 'published', $2 FROM sites WHERE acronym = 'harbour' RETURNING id`,
    [slug, publishedAt],
  )
  return { id: row?.id, path: `/${slug}` }
}

async function insertTag(query: Query, mark: string): Promise<unknown> {
  const [row] = await query(
    `INSERT INTO tags (site_id, slug, language, name) SELECT id, $1, 'en', $2 FROM sites WHERE acronym = 'harbour' RETURNING id`,
    [mark, `Tag ${mark}`],
  )
  return row?.id
}

function attachTag(query: Query, article: unknown, tag: unknown) {
  return query('INSERT INTO article_tags (article_id, tag_id) VALUES ($1, $2)', [article, tag])
}
