import { marked } from 'marked'
import { expect, test } from 'vitest'
import { toFenced } from './fence.ts'

test.each([
  ['plain text', '+ "memorySize": 1024'],
  ['a fence', 'before\n```\n# a heading\n```\nafter'],
  ['a longer fence', `\`\`\`\`\`\`\n<img src=x>\n${'`'.repeat(40)}`],
  ['markup', '<script>alert(1)</script> @everyone ![](https://example.com/x)'],
  ['nothing', ''],
  ['more than the limit of a comment', '`'.repeat(30_000) + 'x\n'.repeat(20_000)],
])('the fence encloses %s', (_, contents) => {
  const fenced = toFenced('diff', contents)
  expect(fenced.length).toBeLessThan(65_536)
  const [block, ...others] = marked.lexer(fenced).filter(({ type }) => type !== 'space')
  expect(block).toMatchObject({ type: 'code', lang: 'diff' })
  expect(others.map(({ type }) => type)).toEqual(contents.length > 60_000 ? ['paragraph'] : [])
})

test('a note states how many characters were omitted', () => {
  expect(toFenced('text', 'x'.repeat(100_000))).toContain('… and 40000 more characters.')
})
