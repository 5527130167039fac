import { marked } from 'marked'
import type { ArticlePage } from '../../contract/article.ts'
import type { AuthorProfile, AuthorSlice } from '../../contract/author.ts'
import type { ListItem } from '../../contract/list.ts'
import type { Image } from '../../contract/primitives.ts'
import type { SettingsBundle } from '../../contract/settings.ts'
import type { ResolvedTemplate } from '../../contract/template.ts'
import type { ArticleFile } from '../../demo/article-file.ts'
import type { Newsroom } from '../../demo/newsroom.ts'

/** Responses of the read API for a newsroom of the demo, with the fields that templates use. */
export interface SampleSite {
  settings: SettingsBundle
  articles: ArticlePage[]
  authors: AuthorProfile[]
  items: ListItem[]
}

const INSTANT = '2026-11-20T06:30:00.000Z'

/** Returns the responses for a newsroom whose site uses these templates. */
export function toSampleSite(newsroom: Newsroom, templates: ResolvedTemplate[]): SampleSite {
  const authors = newsroom.authors.map((author, index) => toAuthor(author, index + 1))
  const items = newsroom.articles.map((article, index) =>
    toItem(article, index + 1, newsroom, authors),
  )
  return {
    settings: toSettings(newsroom, templates),
    articles: newsroom.articles.map((article, index) =>
      toArticle(article, index + 1, newsroom, authors, items),
    ),
    authors: authors.map((author) => toProfile(author, newsroom)),
    items,
  }
}

function toSettings(newsroom: Newsroom, templates: ResolvedTemplate[]): SettingsBundle {
  const { site, settings, languages, categories, navigation } = newsroom
  const { active: _, ...identity } = site
  return {
    site: { id: 1, ...identity },
    site_settings: {
      title: settings.title ?? site.name,
      tagline: settings.tagline ?? null,
      description: settings.description ?? null,
      logo: null,
      icon_url: `/cmp-media/brand/${site.acronym}/icon.png`,
      social_image: toImage(site.name),
      theme_color: settings.theme_color ?? null,
      css_slug: settings.css_slug ?? site.acronym,
      css_version: '1.0.0',
      articles_per_page: settings.articles_per_page ?? 20,
      copyright: settings.copyright ?? null,
      contact_email: settings.contact_email ?? null,
      publisher_name: settings.publisher_name ?? site.name,
      twitter_handle: settings.twitter_handle ?? null,
      social_links: settings.social_links ?? [],
      languages: languages.map((language) => ({
        ...language,
        direction: 'ltr',
        is_default: language.code === site.default_language,
      })),
      navigation: navigation.flatMap(({ area, path, labels }) =>
        Object.entries(labels).map(([language, label]) => ({ area, path, label, language })),
      ),
      categories: categories.flatMap(({ slug, parent, names, descriptions }, position) =>
        Object.entries(names).map(([language, name]) => ({
          id: position + 1,
          slug,
          language,
          name,
          description: descriptions[language] ?? null,
          parent_slug: parent ?? null,
          position,
        })),
      ),
      tags: [],
      templates,
      active_template: settings.active_template ?? site.acronym,
      ads_txt: settings.ads_txt ?? null,
      robots_txt: settings.robots_txt ?? null,
      feature_flags: {},
    },
    meta: { etag: null, language: null },
  }
}

function toArticle(
  file: ArticleFile,
  id: number,
  newsroom: Newsroom,
  authors: readonly AuthorSlice[],
  items: readonly ListItem[],
): ArticlePage {
  const item = toItem(file, id, newsroom, authors)
  const html = marked.parse(file.markdown, { async: false })
  return {
    ...item,
    site_id: 1,
    version: null,
    subtitle: file.subtitle ?? null,
    body_html: html,
    word_count: file.markdown.split(/\s+/).length,
    created_at: INSTANT,
    show_in_homepage: file.show_in_homepage,
    tags: file.tags.map((slug) => ({ slug, name: slug })),
    author: authors.find(({ slug }) => slug === file.author) ?? null,
    seo_title: file.seo_title ?? file.title,
    seo_description: null,
    seo_canonical_url: null,
    seo_robots: file.seo_robots ?? null,
    seo_image: null,
    breadcrumbs: [
      { name: newsroom.site.name, path: '/' },
      { name: file.title, path: item.path },
    ],
    alternates: items
      .filter((other) => isVersionOf(file, other, newsroom))
      .map(({ language, slug, path }) => ({ language, slug, path })),
    related: items
      .filter((other) => other.language === file.language && other.id !== id)
      .slice(0, 6),
  }
}

/** Whether an item is the article itself or one of its translations. */
function isVersionOf(file: ArticleFile, item: ListItem, { articles }: Newsroom): boolean {
  const original = (slug: string) =>
    articles.find((article) => article.slug === slug)?.translates ?? slug
  return original(item.slug) === original(file.slug)
}

function toItem(
  file: ArticleFile,
  id: number,
  { site, categories }: Newsroom,
  authors: readonly AuthorSlice[],
): ListItem {
  const { slug, language, title, description, category } = file
  const prefix = language === site.default_language ? '' : `/${language}`
  const name = categories.find((each) => each.slug === category)?.names[language]
  const author = authors.find((each) => each.slug === file.author)
  return {
    id,
    slug,
    language,
    path: `${prefix}/${slug}`,
    title,
    description,
    content_type: file.type,
    published_at: INSTANT,
    updated_at: INSTANT,
    reading_time_minutes: 4,
    is_featured: file.featured,
    image: file.image ? toImage(file.image.alt, file.image) : null,
    category:
      category && name ? { slug: category, name, path: `${prefix}/category/${category}` } : null,
    author: author ? toCard(author) : null,
  }
}

function toCard({ id, slug, name, job_title, path, image }: AuthorSlice) {
  return { id, slug, name, job_title, path, image }
}

function toAuthor(author: Newsroom['authors'][number], id: number): AuthorSlice {
  const { slug, name, job_title, bio, website_url, social_links, expertise } = author
  return {
    id,
    slug,
    name,
    job_title,
    path: `/author/${slug}`,
    image: toImage(name),
    bio_html: marked.parse(bio, { async: false }),
    website_url: website_url ?? null,
    social_links,
    expertise,
  }
}

function toProfile(author: AuthorSlice, { site }: Newsroom): AuthorProfile {
  const url = `https://${site.domain}`
  const organization = { '@type': 'NewsMediaOrganization', name: site.name, url } as const
  return {
    author,
    seo: {
      title: author.name,
      description: author.job_title,
      person: {
        '@context': 'https://schema.org',
        '@type': 'Person',
        name: author.name,
        url: `${url}${author.path}`,
        worksFor: organization,
      },
    },
    stats: { article_count: 12, latest_published_at: INSTANT },
  }
}

function toImage(
  alt: string,
  { caption, credit }: { caption?: string; credit?: string } = {},
): Image {
  return {
    url: '/cmp-media/sample.jpg',
    alt,
    width: 1600,
    height: 1000,
    mime_type: 'image/jpeg',
    caption: caption ?? null,
    credit: credit ?? null,
    variants: [{ url: '/cmp-media/sample-640.webp', width: 640 }],
  }
}
