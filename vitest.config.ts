import { defineConfig } from 'vitest/config'

const ignored = ['**/node_modules/**', '**/dist/**', '**/.local*/**', 'docs/**']

// unit: quick tests without processes and network. system: tests with
// PostgreSQL, workerd, Pulumi or the local cloud.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...ignored, '**/*.system.test.ts'],
          // On a loaded machine the slowest tests take longer than the default of five seconds.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['**/*.system.test.ts'],
          exclude: ignored,
          globalSetup: ['temporary-folder', 'postgres', 'store'].map(
            (name) => `local/testing/${name}.ts`,
          ),
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
