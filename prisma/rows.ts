import pg from 'pg'

/** Tables that contain the content of a site, in an order that foreign keys allow. */
export const TABLES = [
  'template_elements',
  'template_blocks',
  'sites',
  'images',
  'site_settings',
  'site_languages',
  'navigation_items',
  'template_overrides',
  'categories',
  'tags',
  'authors',
  'articles',
  'article_tags',
  'article_versions',
  'article_scores',
] as const
type Table = (typeof TABLES)[number]

/** Column values by column name; instants are `Date`. */
export type Row = Record<string, unknown>
export type Rows = Partial<Record<Table, Row[]>>

/** Tables whose primary key is a generated id. */
const NUMBERED = [
  'template_elements',
  'template_blocks',
  'sites',
  'images',
  'navigation_items',
  'template_overrides',
  'categories',
  'tags',
  'authors',
  'articles',
] as const satisfies Table[]
type Numbered = (typeof NUMBERED)[number]

/** Ids that `reserveIds` reserved. */
export interface Ids {
  /** Returns the next reserved id of a table. */
  next(table: Numbered): number
}

/**
 * Reserves the ids after the last one of each table. Locks the tables against writers until the transaction
 * ends.
 */
export async function reserveIds(client: pg.Client): Promise<Ids> {
  await client.query(`LOCK TABLE ${NUMBERED.join(', ')} IN SHARE ROW EXCLUSIVE MODE`)
  const columns = NUMBERED.map((table) => `(SELECT coalesce(max(id), 0) FROM ${table}) AS ${table}`)
  const { rows } = await client.query<Record<Numbered, number>>(`SELECT ${columns.join(', ')}`)
  const [last] = rows
  if (!last) throw new Error('PostgreSQL returned no ids')
  return {
    next: (table) => {
      last[table] += 1
      return last[table]
    },
  }
}

/** Sets the sequence of each table to its largest id, so that the next generated ids do not collide. */
export async function advanceSequences(client: pg.Client): Promise<void> {
  for (const table of NUMBERED)
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT greatest(max(id), 1) FROM ${table}))`,
    )
}

/** Inserts rows table by table. All rows of a table must have the columns of its first row. */
export async function insertRows(client: pg.Client, rows: Rows): Promise<void> {
  for (const table of TABLES) await insertInto(client, table, rows[table] ?? [])
}

async function insertInto(client: pg.Client, table: Table, rows: Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first).map(pg.escapeIdentifier).join(', ')
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

/** Appends rows to `target`, table by table. */
export function appendRows(target: Rows, more: Rows): void {
  for (const table of TABLES) {
    const rows = more[table]
    if (rows) target[table] = [...(target[table] ?? []), ...rows]
  }
}
