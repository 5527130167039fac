import { expect, test } from 'vitest'
import { toLine } from './report.ts'

test.each([
  [
    { name: 'api.article.hot', value: 5.314, unit: 'x', goal: { op: '>=', value: 5 } },
    'api.article.hot 5.31x goal >=5 ok',
  ],
  [
    { name: 'media.miss', value: 1.2, unit: 'x', goal: { op: '<=', value: 1.2 } },
    'media.miss 1.2x goal <=1.2 ok',
  ],
  [
    { name: 'media.miss', value: 1.206, unit: 'x', goal: { op: '<=', value: 1.2 } },
    'media.miss 1.21x goal <=1.2 short',
  ],
  [{ name: 'media.hit.rate', value: 3141.59, unit: '/s' }, 'media.hit.rate 3142/s'],
] as const)('%j is printed as %s', (figure, line) => {
  expect(toLine(figure)).toBe(line)
})
