import * as z from 'zod/mini'
import type { Statement } from '../ports.ts'

/** Path of rows for the whole host. */
export const WHOLE_HOST = ''
/** Maximum number of purged paths in the log; further ones are rejected until housekeeping has pruned some. */
const MAX_PURGES = 5000
/** Maximum number of changed paths; more become one change of the host. */
const MAX_CHANGES = 1000
const FOLLOW_EVERY_MS = 5000
/** After this time, KV writes that began before a row have taken effect. */
const SETTLED_MS = 10 * 60_000
/** After this time, no data centre has a cached copy of a deleted KV entry. */
const PRUNE_AFTER_MS = 5 * 60_000

/** D1's clock, in milliseconds. */
const NOW = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)"

const Row = z.object({ path: z.string(), kind: z.enum(['purge', 'change']), sequence: z.int() })
export type Row = z.infer<typeof Row>

/** How far the change log has been read. `settingsPending`: changed settings could not be read yet. */
const Progress = z.object({
  revision: z.nullable(z.string()),
  restoreId: z.nullable(z.string()),
  settingsPending: z.coerce.boolean(),
})
export type Progress = z.infer<typeof Progress>

/** The log at `asOf` (D1's clock), with the times of the last run. `rows` are pairs of key and sequence. */
export const Snapshot = z.object({
  newest: z.int(),
  asOf: z.int(),
  startedAt: z.int(),
  followedAt: z.nullable(z.int()),
  failure: z.nullable(z.string()),
  rows: z.array(z.tuple([z.string(), z.int()])),
})
export type Snapshot = z.infer<typeof Snapshot>

/** Key of a row in memory and in edge copies, in SQL and in TypeScript. */
const KEY = "kind || ' ' || path"
export const toKey = (kind: Row['kind'], path: string): string => `${kind} ${path}`

/** Statements of one transaction, and a function that parses their results. */
export interface Query<T> {
  statements: readonly Statement[]
  parse: (results: readonly (readonly unknown[])[]) => T
}

/** Creates the tables with a change of the host, because the rows of an earlier database may be lost. */
export const SCHEMA: readonly Statement[] = [
  `CREATE TABLE IF NOT EXISTS state (
    id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL,
    revision TEXT, restore_id TEXT, settings_pending INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER NOT NULL DEFAULT 0, followed_at INTEGER, failure TEXT, list_cursor TEXT)`,
  `CREATE TABLE IF NOT EXISTS invalidations (
    path TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('purge', 'change')),
    sequence INTEGER NOT NULL, written_at INTEGER NOT NULL, deleted_at INTEGER,
    PRIMARY KEY (path, kind)) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS invalidations_sequence ON invalidations (sequence)',
  `INSERT OR IGNORE INTO state (id, sequence) VALUES (1, ${NOW})`,
  `INSERT OR IGNORE INTO invalidations (path, kind, sequence, written_at)
    SELECT '', 'change', sequence, ${NOW} FROM state`,
].map((sql) => toStatement(sql))

export const selectSnapshot = (after: number): Query<Snapshot> => ({
  statements: [
    toStatement(`SELECT sequence AS newest, ${NOW} AS asOf, started_at AS startedAt,
      followed_at AS followedAt, failure FROM state`),
    toStatement(`SELECT ${KEY}, sequence FROM invalidations WHERE sequence > ?`, after),
  ],
  parse: ([state, rows = []]) =>
    Snapshot.parse({ ...Object(state?.[0]), rows: rows.map((row) => Object.values(Object(row))) }),
})

/** Writes purges of paths. Result: their sequence; undefined when none was written, as the log has too many. */
export function insertPurge(paths: readonly string[]): Query<number | undefined> {
  const limit = paths.includes(WHOLE_HOST) ? Number.MAX_SAFE_INTEGER : MAX_PURGES - paths.length
  return {
    statements: [
      toStatement(NEXT_SEQUENCE),
      toStatement(
        `${toInsert('purge')} WHERE (SELECT count(*) FROM invalidations WHERE kind = 'purge') <= ?
          ${OR_RENEW} RETURNING sequence`,
        JSON.stringify(paths),
        limit,
      ),
      ...(paths.includes(WHOLE_HOST) ? [toStatement('UPDATE state SET list_cursor = NULL')] : []),
    ],
    parse: ([, rows]) => z.array(z.object({ sequence: z.int() })).parse(rows)[0]?.sequence,
  }
}

/** Returns whether no run has started in the last five seconds. */
export const isRunDue = ({ asOf, startedAt }: Pick<Snapshot, 'asOf' | 'startedAt'>): boolean =>
  startedAt <= asOf - FOLLOW_EVERY_MS

/** Starts a run. Result: where to continue; undefined when another run started in the last five seconds. */
export const CLAIM_RUN: Query<Progress | undefined> = {
  statements: [
    toStatement(`UPDATE state SET started_at = ${NOW} WHERE started_at <= ${NOW} - ${FOLLOW_EVERY_MS}
      RETURNING revision, restore_id AS restoreId, settings_pending AS settingsPending`),
  ],
  parse: ([rows]) => z.array(Progress).parse(rows)[0],
}

/** Writes one step of a run, unless a concurrent run has written a step from the same revision. */
export function commitStep(from: Progress, to: Progress, changed: readonly string[]): Query<void> {
  const paths = changed.length > MAX_CHANGES ? [WHOLE_HOST] : changed
  const isAtFrom = '(SELECT revision FROM state) IS ?'
  const changes = [
    toStatement(`${NEXT_SEQUENCE} WHERE ${isAtFrom}`, from.revision),
    toStatement(
      `${toInsert('change')} WHERE ${isAtFrom} ${OR_RENEW}`,
      JSON.stringify(paths),
      from.revision,
    ),
    toStatement(`UPDATE invalidations SET sequence = (SELECT sequence FROM state)
      WHERE kind = 'change' AND path = '' AND
      (SELECT count(*) FROM invalidations WHERE kind = 'change') > ${MAX_CHANGES}`),
    // A change of the host replaces older changes of paths.
    toStatement(`DELETE FROM invalidations WHERE kind = 'change' AND path <> '' AND sequence <=
      (SELECT sequence FROM invalidations WHERE kind = 'change' AND path = '')`),
  ]
  const advance = toStatement(
    `UPDATE state SET revision = ?, restore_id = ?, settings_pending = ?, failure = NULL,
      followed_at = ${NOW} WHERE revision IS ?`,
    to.revision,
    to.restoreId,
    Number(to.settingsPending),
    from.revision,
  )
  return { statements: [...(paths.length > 0 ? changes : []), advance], parse: () => undefined }
}

export const recordFailure = (failure: string): Query<void> =>
  toUpdate('UPDATE state SET failure = ?', failure.slice(0, 500))

/** A row whose KV entries can be deleted: of a change, only while the API works. `cursor`: see `recordCursor`. */
const SettledRow = z.extend(Row, { cursor: z.nullable(z.string()) })

/** Prunes rows five minutes after their entries were deleted. Result: settled rows, the host's first. */
export const pruneAndSelect = (limit: number): Query<z.infer<typeof SettledRow>[]> => ({
  statements: [
    toStatement(
      `DELETE FROM invalidations WHERE path <> '' AND deleted_at <= ${NOW} - ${PRUNE_AFTER_MS}`,
    ),
    toStatement(
      `SELECT path, kind, invalidations.sequence, list_cursor AS cursor FROM invalidations, state
        WHERE deleted_at IS NULL AND CASE path WHEN '' THEN kind = 'purge'
        ELSE written_at <= ${NOW} - ${SETTLED_MS} AND
          (kind = 'purge' OR failure IS NULL AND followed_at > ${NOW} - 60000) END
        ORDER BY path <> '', invalidations.sequence LIMIT ?`,
      limit,
    ),
  ],
  parse: ([, rows]) => z.array(SettledRow).parse(rows),
})

/** Records that the KV entries of rows are deleted, except for rows that were written again since. */
export const recordDeleted = (rows: readonly Row[]): Query<void> =>
  toUpdate(
    `UPDATE invalidations SET deleted_at = ${NOW} WHERE (path, kind, sequence) IN (SELECT
      value ->> 'path', value ->> 'kind', value ->> 'sequence' FROM json_each(?))`,
    JSON.stringify(rows),
  )

/** Records how far the pages of a purged host have been listed. */
export const recordCursor = (cursor: string | null): Query<void> =>
  toUpdate('UPDATE state SET list_cursor = ?', cursor)

const NEXT_SEQUENCE = `UPDATE state SET sequence = max(sequence + 1, ${NOW})`
const OR_RENEW = `ON CONFLICT (path, kind) DO UPDATE SET sequence = excluded.sequence,
  written_at = excluded.written_at, deleted_at = NULL`

function toInsert(kind: Row['kind']): string {
  return `INSERT INTO invalidations (path, kind, sequence, written_at)
    SELECT value, '${kind}', state.sequence, ${NOW} FROM json_each(?), state`
}

function toUpdate(sql: string, ...parameters: Statement['parameters']): Query<void> {
  return { statements: [toStatement(sql, ...parameters)], parse: () => undefined }
}

function toStatement(sql: string, ...parameters: Statement['parameters']): Statement {
  return { sql, parameters }
}
