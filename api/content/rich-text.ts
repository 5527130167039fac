import { LRUCache } from 'lru-cache'
import sanitizeHtml from 'sanitize-html'

const TEXT_BLOCKS = [
  'p',
  'br',
  'hr',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'pre',
]
const INLINE = [
  'a',
  'abbr',
  'b',
  'cite',
  'code',
  'del',
  'em',
  'i',
  'ins',
  'kbd',
  'mark',
  'q',
  's',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'time',
  'u',
  'wbr',
]
const CONTAINERS_AND_MEDIA = [
  'blockquote',
  'aside',
  'section',
  'div',
  'figure',
  'figcaption',
  'img',
  'audio',
]
const TABLES = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']

const SANITISE_OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: [...TEXT_BLOCKS, ...INLINE, ...CONTAINERS_AND_MEDIA, ...TABLES],
  allowedAttributes: {
    '*': ['lang', 'dir'],
    a: ['href', 'hreflang', 'rel', 'title'],
    abbr: ['title'],
    audio: ['src', 'controls', 'preload'],
    blockquote: ['cite'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start', 'reversed'],
    q: ['cite'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    time: ['datetime'],
  },
  allowedSchemes: ['http', 'https'],
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
}

// Sanitised texts by raw text. Unlike cached responses they stay valid after an edit, which changes few texts.
const sanitised = new LRUCache<string, string>({
  // Bytes; a character has two.
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: (clean, raw) => 2 * (clean.length + raw.length) + 1,
})

/** Sanitises rich text by an allow-list of elements, attributes and URL schemes. */
export function sanitiseRichText(html: string): string {
  const cached = sanitised.get(html)
  if (cached !== undefined) return cached
  const clean = sanitizeHtml(html, SANITISE_OPTIONS)
  sanitised.set(html, clean)
  return clean
}

/** Returns the text of HTML without tags and entities. Each run of white space becomes one space. */
export const toPlainText = (html: string): string =>
  decodeText(sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} }))
    .replace(/\s+/g, ' ')
    .trim()

// sanitize-html writes only these as entities.
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const decodeText = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
