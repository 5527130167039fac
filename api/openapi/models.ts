import * as z from 'zod/mini'
import { ArticlePage, Breadcrumb } from '../../contract/article.ts'
import { AuthorCard, AuthorProfile, AuthorSlice, PersonSeo } from '../../contract/author.ts'
import { ArticleChange, ArticleState, ChangesResponse } from '../../contract/changes.ts'
import { CategoryRef, ListItem, ListResponse } from '../../contract/list.ts'
import { Ping } from '../../contract/ping.ts'
import type { CachedEndpoint } from '../../contract/policy.ts'
import { Image, Instant } from '../../contract/primitives.ts'
import { Problem } from '../../contract/problem.ts'
import {
  Language,
  LightCategory,
  NavigationItem,
  SettingsBundle,
  SiteSettingsBlob,
  SocialLink,
} from '../../contract/settings.ts'
import { SiteIdentity } from '../../contract/site.ts'
import { SitemapResponse, SitemapUrl, StaticPage } from '../../contract/sitemap.ts'
import { ResolvedTemplate } from '../../contract/template.ts'
import examples from './examples.json' with { type: 'json' }

const MODELS = {
  ArticleChange: [
    ArticleChange,
    'One changed article. `before` is null if it was not published, `after` if it is no longer published',
  ],
  ArticlePage: [ArticlePage, 'One article with all data of its page'],
  ArticleState: [ArticleState, 'The fields of an article that determine its path and its lists'],
  AuthorCard: [AuthorCard, 'An author in a byline'],
  AuthorProfile: [AuthorProfile, 'An active author, with schema.org markup and statistics'],
  AuthorSlice: [AuthorSlice, 'All fields of an author; `bio_html` is sanitised'],
  Breadcrumb: [Breadcrumb, 'One link of the breadcrumb trail'],
  CategoryRef: [CategoryRef, 'The category that an article is in'],
  ChangesResponse: [
    ChangesResponse,
    'Changes after a revision, and the revision with which they end',
  ],
  Image: [Image, 'A picture under `/cmp-media/`; width and height in pixels of the original'],
  Instant: [Instant, 'A timestamp as ISO 8601 in UTC, with milliseconds'],
  Language: [Language, 'A language of the site, with the labels of its pages'],
  LightCategory: [LightCategory, 'A category in one language, without its articles'],
  ListItem: [ListItem, 'An article in a list: its metadata without the body'],
  ListResponse: [ListResponse, 'One page of a list; `next_cursor` is null on the last page'],
  NavigationItem: [
    NavigationItem,
    'A link of the navigation. `language` is null if the link is shown in every language',
  ],
  PersonSeo: [PersonSeo, 'schema.org Person'],
  Ping: [Ping, 'The process is running; the database is not checked'],
  Problem: [Problem, 'Problem details (RFC 9457) with a `code`'],
  ResolvedTemplate: [
    ResolvedTemplate,
    'A template of the site, chosen from the versions for the site, the theme and all sites',
  ],
  SettingsBundle: [SettingsBundle, 'Identity and settings of a site'],
  SiteIdentity: [SiteIdentity, 'Name, addresses, language and time zone of a site'],
  SiteSettingsBlob: [SiteSettingsBlob, 'Site settings merged over the global defaults'],
  SitemapResponse: [
    SitemapResponse,
    'One part of the sitemap, oldest first; `next_cursor` is null in the last part',
  ],
  SitemapUrl: [SitemapUrl, 'One article in the sitemap'],
  SocialLink: [SocialLink, 'A profile of the site on a social network'],
  StaticPage: [
    StaticPage,
    'A static page: its content is a template of the site, and the navigation links to it',
  ],
} as const satisfies Record<string, readonly [schema: z.ZodMiniType, description: string]>

type ModelName = keyof typeof MODELS

/** Model of each endpoint's 200 response. */
const RESPONSE_MODELS = {
  settings: 'SettingsBundle',
  page: 'ArticlePage',
  author: 'AuthorProfile',
  list: 'ListResponse',
  sitemap: 'SitemapResponse',
  changes: 'ChangesResponse',
} as const satisfies Record<CachedEndpoint, ModelName>

type Json = Record<string, unknown>

const PREFIX = '#/components/schemas/'

/** Returns the reference to a model of the document. */
export const refTo = (name: ModelName): Json => ({ $ref: `${PREFIX}${name}` })

/** Returns the reference to the model of an endpoint's 200 response. */
export const responseRef = (endpoint: CachedEndpoint): Json => refTo(RESPONSE_MODELS[endpoint])

/** Whether a value is valid for the model of that name. */
export function isValid(name: string, value: unknown): boolean {
  const models: Readonly<Record<string, readonly [z.ZodMiniType, string]>> = MODELS
  return models[name]?.[0].safeParse(value).success ?? false
}

/** Creates the JSON Schemas (2020-12) of all models by name, with descriptions and examples. */
export function toModels(): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, [schema]] of Object.entries(MODELS)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `${PREFIX}${id}`,
    unrepresentable: 'any',
  })
  const named = Object.entries(MODELS).map(([name, [, description]]) => {
    const { $schema, $id, id, ...schema } = schemas[name] as Json
    const example = (examples as Json)[name]
    return [name, { ...schema, description, ...(example !== undefined && { example }) }]
  })
  return Object.fromEntries(named)
}
