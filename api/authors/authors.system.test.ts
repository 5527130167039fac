import { expect } from 'vitest'
import { AuthorProfile } from '../../contract/author.ts'
import { describeRequests, readBody, useNewsroom } from '../tests/suite.ts'

const newsroom = useNewsroom()

describeRequests('an author', newsroom, readBody(AuthorProfile), [
  [
    'jane, an active author of api/tests/newsroom.ts',
    'authors/jane',
    {
      author: expect.objectContaining({
        id: 1,
        slug: 'jane',
        job_title: 'Editor',
        path: '/author/jane',
        bio_html: '<p>Writes &amp; reads.</p>',
      }),
      seo: {
        title: 'Jane Doe, Editor',
        description: 'Writes & reads.',
        person: {
          '@context': 'https://schema.org',
          '@type': 'Person',
          name: 'Jane Doe',
          url: 'https://alpha.example/author/jane',
          jobTitle: 'Editor',
          description: 'Writes & reads.',
          image: 'https://alpha.example/cmp-media/a/b%20c.jpg',
          sameAs: ['https://jane.example/', 'https://social.example/@jane'],
          knowsAbout: ['Ports'],
          worksFor: {
            '@type': 'NewsMediaOrganization',
            name: 'Alpha',
            url: 'https://alpha.example/',
          },
        },
      },
      stats: { article_count: 2, latest_published_at: '2026-01-03T12:00:00.000Z' },
    },
  ],
])
