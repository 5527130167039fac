import { describe, expect, it } from 'vitest'
import { findScript, parsePattern } from './routing.ts'

const hosting = {
  routes: [
    { pattern: 'stage.example/*', script: 'site' },
    { pattern: 'stage.example/cmp-media/*', script: 'media' },
    { pattern: 'stage2.example/cmp-media/*', script: 'media' },
    { pattern: '*.wild.example/*', script: 'wild' },
    { pattern: '*.wild.example/exact', script: 'wild-exact' },
    { pattern: 'a.wild.example/*', script: 'a' },
    { pattern: 'stage.example/off/*' },
    { pattern: 'bug.example/images/*', script: 'slash' },
    { pattern: 'bug.example/images*', script: 'no-slash' },
    { pattern: 'exact.example/page', script: 'page' },
    { pattern: '*suffix.example/*', script: 'suffix' },
  ],
  domains: { 'stage2.example': 'canary' },
}

describe('findScript', () => {
  it.each([
    ['stage.example/', 'site'],
    ['stage.example/a/b?c=d', 'site'],
    ['stage.example/cmp-media/x.jpg', 'media'],
    ['stage.example/cmp-media', 'site'],
    ['stage.example/CMP-MEDIA/x.jpg', 'site'],
    ['STAGE.example:8787/cmp-media/x.jpg', 'media'],
    ['stage2.example/', 'canary'],
    ['stage2.example/cmp-media/x.jpg', 'media'],
    ['stage2.example/cmp-mediax', 'canary'],
    ['b.wild.example/x', 'wild'],
    ['b.wild.example/exact', 'wild-exact'],
    ['a.wild.example/exact', 'a'],
    ['wild.example/', undefined],
    ['stage.example/off/x', undefined],
    ['bug.example/images/x', 'no-slash'],
    ['exact.example/page', 'page'],
    ['exact.example/page?q', undefined],
    ['mysuffix.example/', 'suffix'],
    ['nowhere.example/', undefined],
  ])('%s runs the script %s', (url, script) => {
    expect(findScript(hosting, new URL(`http://${url}`))).toBe(script)
  })
})

describe('parsePattern', () => {
  it.each(['a.example/*/b', 'a.*.example/*', 'a.example/x?y', '', '/only-a-path', 'a.example/#x'])(
    'rejects %s',
    (pattern) => expect(parsePattern(pattern)).toBeUndefined(),
  )

  it.each(['a.example', 'a.example/', '*.a.example/*', '*a.example/x*', 'https://a.example/*'])(
    'accepts %s',
    (pattern) => expect(parsePattern(pattern)).toBeDefined(),
  )
})
