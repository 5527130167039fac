import { describe, expect, it } from 'vitest'
import { parseOptions } from './options.ts'

const all = ['site-stage', 'media-stage']

describe('parseOptions', () => {
  it.each([
    [[], { port: 8787, articles: undefined, stacks: all }],
    [['--port', '9000'], { port: 9000 }],
    [['--data', '/tmp/x'], { data: '/tmp/x' }],
    [['--articles', '100000'], { articles: 100_000 }],
    [['--empty'], { empty: true }],
    [['--env', 'media-stage'], { stacks: ['media-stage'] }],
    [['--env', 'media-stage', 'site-stage'], { stacks: ['media-stage', 'site-stage'] }],
    [['--env', 'media-stage', '--env', 'site-stage'], { stacks: ['media-stage', 'site-stage'] }],
  ])('parses %j', (args, expected) => expect(parseOptions(args, all)).toMatchObject(expected))

  it.each([
    [['--port', 'x'], '--port takes a number from 0 to 65535, not "x".'],
    [['--port', '70000'], '--port takes a number from 0 to 65535, not "70000".'],
    [['--articles', '100001'], '--articles takes a number from 0 to 100000, not "100001".'],
    [['--env', 'prod'], 'There is no environment "prod", only site-stage, media-stage.'],
    [['--empty', '--env', 'media-stage'], '--empty starts without environments: omit --env.'],
    [['prod'], '"prod" is not an option: --help lists them.'],
    [['--prod'], "Unknown option '--prod': --help lists the options."],
  ])('rejects %j', (args, message) => expect(() => parseOptions(args, all)).toThrow(message))

  it('returns undefined for --help', () => expect(parseOptions(['--help'], all)).toBeUndefined())
})
