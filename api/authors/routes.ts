import * as z from 'zod/mini'
import { AuthorProfile } from '../../contract/author.ts'
import { Slug } from '../../contract/primitives.ts'
import type { Query } from '../database.ts'
import { defineEndpoint } from '../endpoint.ts'
import { notFound } from '../problem.ts'
import { toAuthorProfile } from './profile.ts'
import { readAuthor, readAuthorStats } from './queries.ts'

export const createAuthorEndpoint = (query: Query) =>
  defineEndpoint({
    policy: 'author',
    path: '/authors/:slug',
    summary: 'An active author with statistics',
    parameters: z.strictObject({}),
    response: AuthorProfile,
    read: async ({ site, slug }) => {
      const isSlug = z.safeParse(Slug, slug).success
      const author = isSlug ? await readAuthor(query, site, slug) : undefined
      if (!author) throw notFound('No active author has this slug.')
      const stats = await readAuthorStats(query, site, author.id)
      return { type: 'value', value: toAuthorProfile(author, stats, site) }
    },
  })
