import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NEWEST_MIGRATION } from './newest-migration.ts'

test('NEWEST_MIGRATION is the last migration of the folder by name', () => {
  const entries = readdirSync(join(import.meta.dirname, 'migrations'), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(NEWEST_MIGRATION).toBe(names.sort().at(-1))
})
