import { expect, test } from 'vitest'
import { toAuthorProfile } from './profile.ts'

const site = {
  ...{
    id: 1,
    acronym: 'a',
    domain: 'a.example',
    name: 'A',
    defaultLanguage: 'en',
    timezone: 'UTC',
  },
  ...{
    revision: '1.1',
    restoreId: 'one',
    epoch: '1.1.0',
    lastModified: new Date(0),
    nextChange: null,
  },
  now: new Date(0),
}
const record = {
  ...{ id: 1, siteId: 1, slug: 'jane', name: 'Jane', jobTitle: null, bioHtml: null, active: true },
  ...{ imageId: null, image: null, websiteUrl: null, socialLinks: [], expertise: [] },
}
const stats = { count: 0, latest: null }

test.each([
  ['none', [], undefined],
  ['relative ones', ['/about'], ['https://a.example/about']],
  ['one that cannot be read', ['https://[', 'https://b.example/jane'], ['https://b.example/jane']],
])('links of a person: %s', (_, socialLinks, sameAs) => {
  const { seo } = toAuthorProfile({ ...record, socialLinks }, stats, site)
  expect(seo.person.sameAs).toEqual(sameAs)
})
