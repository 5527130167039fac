import { MEDIA_SEGMENT, toStylesheetKey } from '../../../../contract/constants.ts'
import type { NavigationItem } from '../../../../contract/settings.ts'
import { toPath } from '../../../../http/path.ts'
import { toOpenGraphLocale } from '../locale.ts'
import type { RenderContext } from '../render-context.ts'
import { toRoutePath } from '../route-path.ts'
import { SafeHtml } from '../templates/safe-html.ts'
import type { View } from '../templates/template-renderer.ts'
import { toUrl } from '../url.ts'
import { toJsonLd } from './json-ld.ts'
import { DEFAULT_LABELS } from './labels.ts'
import type { Page } from './page-model.ts'

/** Returns the variables of all templates of a page: site, head, language, labels, navigation, categories. */
export function toGlobals(page: Page, context: RenderContext): View {
  const { site, site_settings: siteSettings } = context.settings
  const { language } = page
  const { name, direction, labels } =
    siteSettings.languages.find(({ code }) => code === language) ?? {}
  return {
    site: toSite(context),
    page: { type: page.pageType, path: page.path, title: page.title, status: page.status },
    seo: toSeo(page, context),
    language: { code: language, name, direction },
    languages: toLanguages(page, context),
    labels: { ...DEFAULT_LABELS, ...labels },
    paths: toPaths(language, site.default_language),
    navigation: {
      header: toLinks('header', page, context),
      footer: toLinks('footer', page, context),
    },
    categories: toCategories(page, context),
    breadcrumbs: page.breadcrumbs,
    css_path: toCssPath(context),
    now: context.now.toISOString(),
    preview: context.preview && { version: context.preview.version },
    time_zone: site.timezone,
    canonical_origin: context.canonicalOrigin,
  }
}

export const toCssPath = ({ css }: RenderContext): string =>
  toPath([MEDIA_SEGMENT, ...toStylesheetKey(css.slug, css.version).split('/')])

/** Letters, digits and separators, so that a directive cannot end a header or a tag. */
const ROBOTS = /^[\w:, -]+$/
const LARGE_IMAGE_PREVIEW = 'max-image-preview:large'

/** Returns the robots directives for meta element and header. Ignores malformed ones of editors. */
export function toRobots(page: Page, context: RenderContext): string {
  if (!context.indexable || context.preview) return 'noindex, nofollow'
  return page.robots && ROBOTS.test(page.robots) ? page.robots : LARGE_IMAGE_PREVIEW
}

function toSite({ settings: { site, site_settings: siteSettings } }: RenderContext): View {
  const { languages, navigation, categories, tags, templates, ads_txt, robots_txt, ...rest } =
    siteSettings
  // An empty email address becomes null, because Liquid treats an empty string as true.
  const contact_email = siteSettings.contact_email || null
  return { name: site.name, acronym: site.acronym, ...rest, contact_email }
}

function toSeo(page: Page, context: RenderContext): View {
  const { title, tagline, description, social_image } = context.settings.site_settings
  const origin = context.canonicalOrigin
  const url = toUrl(page.path, origin)
  const image = page.image ?? social_image
  return {
    title: [page.title ?? title, page.title ? title : tagline].filter(Boolean).join(' — '),
    headline: page.title ?? title,
    description: page.description ?? description,
    canonical: page.status === 200 ? toUrl(page.canonical ?? url, url) : null,
    robots: toRobots(page, context),
    type: page.ogType,
    locale: toOpenGraphLocale(page.language),
    alternate_locales: page.alternates
      .filter(({ language }) => language !== page.language)
      .map(({ language }) => toOpenGraphLocale(language)),
    image: image && { ...image, url: toUrl(image.url, origin) },
    published: page.published,
    modified: page.modified,
    alternates: toAlternates(page, context),
    json_ld: new SafeHtml(toJsonLd(page, context.settings, origin)),
  }
}

// Only a page with translations has alternates. `x-default` is the default language, otherwise the first one.
function toAlternates(page: Page, { settings, canonicalOrigin }: RenderContext): View[] {
  const [first, ...others] = page.alternates
  if (!first || others.length === 0) return []
  const { default_language } = settings.site
  const defaultPage = page.alternates.find(({ language }) => language === default_language) ?? first
  return [...page.alternates, { language: 'x-default', path: defaultPage.path }].map(
    ({ language, path }) => ({ language, url: toUrl(path, canonicalOrigin) }),
  )
}

function toLanguages(page: Page, { settings: { site, site_settings } }: RenderContext): View[] {
  return site_settings.languages.map(({ code, name }) => {
    const translation = page.alternates.find(({ language }) => language === code)
    const home = toRoutePath({ type: 'home', language: code }, site.default_language)
    return {
      code,
      name,
      path: translation?.path ?? home,
      is_current: code === page.language,
      is_translation: translation !== undefined,
    }
  })
}

function toPaths(language: string, defaultLanguage: string): View {
  return {
    home: toRoutePath({ type: 'home', language }, defaultLanguage),
    search: toRoutePath({ type: 'search', language }, defaultLanguage),
    archive: toRoutePath({ type: 'archive', language }, defaultLanguage),
    rss: toRoutePath({ type: 'feed', format: 'rss', language }, defaultLanguage),
    atom: toRoutePath({ type: 'feed', format: 'atom', language }, defaultLanguage),
    json_feed: toRoutePath({ type: 'feed', format: 'json', language }, defaultLanguage),
  }
}

function toLinks(area: NavigationItem['area'], page: Page, { settings }: RenderContext): View[] {
  const home = { type: 'home', language: page.language } as const
  const prefix = toRoutePath(home, settings.site.default_language).replace(/\/$/, '')
  return settings.site_settings.navigation
    .filter((item) => item.area === area && (item.language ?? page.language) === page.language)
    .map(({ label, path }) => {
      // The path in the language of the page, without a slash at the end, except for the path `/`.
      const localPath = path.startsWith('/') ? `${prefix}${path}`.replace(/(?<=.)\/$/, '') : path
      return { label, path: localPath, is_current: localPath === page.path }
    })
}

function toCategories(page: Page, { settings: { site, site_settings } }: RenderContext): View[] {
  return site_settings.categories
    .filter(({ language }) => language === page.language)
    .toSorted((one, other) => one.position - other.position)
    .map((category) => {
      const { slug, language } = category
      const path = toRoutePath({ type: 'category', slug, language }, site.default_language)
      return { ...category, path, is_current: path === page.path }
    })
}
