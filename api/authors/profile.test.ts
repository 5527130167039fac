import { expect, test } from 'vitest'
import { toAuthorProfile } from './profile.ts'

const site = {
  id: 1,
  acronym: 'a',
  domain: 'a.example',
  name: 'A',
  defaultLanguage: 'en',
  timezone: 'UTC',
  revision: '1.1',
  restoreId: 'one',
  cacheVersion: '1.1.0',
  lastModified: new Date(0),
  nextChange: null,
  now: new Date(0),
  omissions: [],
}
const row = {
  id: 1,
  slug: 'jane',
  name: 'Jane',
  job_title: null,
  bio_html: null,
  image: null,
  website_url: null,
  social_links: [],
  expertise: [],
}
const stats = { count: 0, latest: null }

test.each([
  ['without links, sameAs is absent', [], undefined],
  ['a relative link becomes absolute', ['/about'], ['https://a.example/about']],
  [
    'a link that does not parse is omitted',
    ['https://[', 'https://b.example/jane'],
    ['https://b.example/jane'],
  ],
])('schema.org markup of an author: %s', (_, social_links, sameAs) => {
  const { seo } = toAuthorProfile({ ...row, social_links }, stats, site)
  expect(seo.person.sameAs).toEqual(sameAs)
})
