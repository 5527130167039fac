type Node = Record<string, unknown>

/** Properties that Google's rich results and schema.org's examples require, by type. */
const REQUIRED: Record<string, readonly string[]> = {
  NewsMediaOrganization: ['name', 'url'],
  WebSite: ['name', 'url', 'publisher', 'inLanguage', 'potentialAction'],
  SearchAction: ['target', 'query-input'],
  EntryPoint: ['urlTemplate'],
  NewsArticle: [
    'headline',
    'datePublished',
    'dateModified',
    'author',
    'publisher',
    'mainEntityOfPage',
    'inLanguage',
  ],
  BreadcrumbList: ['itemListElement'],
  ItemList: ['itemListElement'],
  ListItem: ['position', 'name'],
  CollectionPage: ['name', 'url', 'mainEntity'],
  ProfilePage: ['mainEntity'],
  Person: ['name', 'url'],
  ImageObject: ['url', 'width', 'height'],
  WebPage: ['name', 'url'],
  SearchResultsPage: ['url'],
}

/** Types that a page must have besides WebSite and NewsMediaOrganization, by type of page. */
const EXPECTED_TYPES: Record<string, readonly string[]> = {
  article: ['NewsArticle', 'BreadcrumbList'],
  category: ['CollectionPage', 'BreadcrumbList'],
  author: ['ProfilePage', 'BreadcrumbList'],
}

/** Returns the problems of a page's structured data. */
export function checkJsonLd(blocks: readonly string[], pageType: string): string[] {
  if (blocks.length === 0) return ['has no JSON-LD']
  const nodes = blocks.flatMap((block) => collectNodes(parse(block)))
  const types = new Set(nodes.map((node) => String(node['@type'])))
  const expected = ['WebSite', 'NewsMediaOrganization', ...(EXPECTED_TYPES[pageType] ?? [])]
  return [
    ...expected.filter((type) => !types.has(type)).map((type) => `JSON-LD has no ${type}`),
    ...nodes.flatMap(checkNode),
    ...checkReferences(nodes),
  ]
}

function checkNode(node: Node): string[] {
  const type = String(node['@type'])
  const required = REQUIRED[type]
  if (!required) return [`JSON-LD has a ${type}, which cannot be checked`]
  const missing = required.filter((member) => node[member] === undefined)
  const dates = ['datePublished', 'dateModified'].filter(
    (member) => node[member] !== undefined && Number.isNaN(Date.parse(String(node[member]))),
  )
  const addresses = ['url', 'item', 'mainEntityOfPage'].filter(
    (member) => typeof node[member] === 'string' && !URL.canParse(String(node[member])),
  )
  return [
    ...missing.map((member) => `JSON-LD ${type} lacks ${member}`),
    ...[...dates, ...addresses].map((member) => `JSON-LD ${type} has a malformed ${member}`),
  ]
}

/** Checks that an object with only an `@id` is described elsewhere on the page. */
function checkReferences(nodes: readonly Node[]): string[] {
  const described = new Set(nodes.map((node) => node['@id']))
  return nodes
    .flatMap((node) => Object.values(node))
    .filter(isObject)
    .filter((value) => value['@type'] === undefined && value['@id'] !== undefined)
    .filter((value) => !described.has(value['@id']))
    .map((value) => `JSON-LD refers to ${value['@id']}, which does not exist`)
}

function parse(block: string): unknown {
  try {
    return JSON.parse(block)
  } catch {
    // `checkNode` reports it as a type without a row in `REQUIRED`.
    return { '@type': 'malformed JSON' }
  }
}

function collectNodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(collectNodes)
  if (!isObject(value)) return []
  const current = value['@type'] === undefined ? [] : [value]
  return [...current, ...Object.values(value).flatMap(collectNodes)]
}

const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null
