import { defineConfig } from 'vitest/config'

const ignored = ['**/node_modules/**', '**/dist/**', '**/.local*/**', 'docs/**']

// unit: no process, no network, quick. system: PostgreSQL, workerd, the Pulumi program, the whole local cloud.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...ignored, '**/*.system.test.ts'],
          // A loaded machine runs the slowest of them in more than the default of five seconds.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['**/*.system.test.ts'],
          exclude: ignored,
          globalSetup: ['local/testing/postgres.ts', 'local/testing/store.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
