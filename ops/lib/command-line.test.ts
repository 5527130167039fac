import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Command, type Option, runCommand, UsageError } from './command-line.ts'

const command = {
  invocation: 'npm run greet --',
  positionals: ['<name>', '[title]'],
  summary: 'Prints a greeting.',
  options: {
    loud: { type: 'boolean', description: 'in capitals' },
    times: { type: 'string', value: '<number>', description: 'how often' },
  },
  exitCodes: { 0: 'greeted', 1: 'not greeted' },
} as const satisfies Command<Record<string, Option>>

const out = { log: '', error: '' }
beforeEach(() => {
  out.log = ''
  out.error = ''
  vi.spyOn(console, 'log').mockImplementation((text) => (out.log += text))
  vi.spyOn(console, 'error').mockImplementation((text) => (out.error += text))
})
afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

test('main gets values and positionals, and returns the exit code', async () => {
  const main = vi.fn(async () => 7)
  await runCommand(command, main, { args: ['Ada', '--loud', '--times', '2'] })
  expect(main).toHaveBeenCalledWith({ values: { loud: true, times: '2' }, positionals: ['Ada'] })
  expect(process.exitCode).toBe(7)
})

test.each([[['--help']], [['Ada', '-h', '--unknown']]])(
  '%j prints the usage and does not run main',
  async (args) => {
    const main = vi.fn(async () => {})
    await runCommand(command, main, { args })
    expect(main).not.toHaveBeenCalled()
    expect(out.log).toBe(`Usage: npm run greet -- <name> [title] [options]

Prints a greeting.

Options:
  --loud            in capitals
  --times <number>  how often
  -h, --help        print this text

Exit codes:
  0  greeted
  1  not greeted
  2  wrong usage`)
  },
)

describe('wrong usage prints one sentence and exits with 2', () => {
  test.each([
    [['Ada', '--quiet'], "Unknown option '--quiet'"],
    [['Ada', '--times'], "Option '--times <value>' argument missing"],
    [['Ada', '--loud=yes'], "Option '--loud' does not take an argument"],
    [[], '<name> is missing'],
    [['Ada', 'Dr', 'more'], 'Unexpected argument "more"'],
  ])('%j', async (args, sentence) => {
    await runCommand(command, async () => {}, { args })
    expect(out.error).toBe(`${sentence}: \`npm run greet -- --help\` lists arguments and options.`)
    expect(process.exitCode).toBe(2)
  })

  test('also when main throws a UsageError', async () => {
    const main = async () => {
      throw new UsageError('--times is not a number')
    }
    await runCommand(command, main, { args: ['Ada'] })
    expect(out.error).toContain('--times is not a number: ')
    expect(process.exitCode).toBe(2)
  })
})

test('an error prints its message and that of its cause, and exits with 1 or `failure`', async () => {
  const main = async () => {
    throw new Error('not greeted', { cause: new Error('no voice') })
  }
  await runCommand(command, main, { args: ['Ada'] })
  expect([out.error, process.exitCode]).toEqual(['not greeted: no voice', 1])
  await runCommand(command, main, { args: ['Ada'], failure: 3 })
  expect(process.exitCode).toBe(3)
})
