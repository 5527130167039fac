import {
  type Context,
  type Emitter,
  Hash,
  Liquid,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  toValue,
} from 'liquidjs'
import { FILTERS, type FilterCall } from './filters.ts'
import { escapeMarkup, SafeHtml } from './safe-html.ts'

/** State shared by all templates of a page. Its methods throw when a bound is exceeded. */
export interface RenderJob {
  /** LiquidJS calls it with the number of characters or array elements that it creates. */
  use(count: number): void
  /** LiquidJS calls it for each template node and loop iteration. */
  check(): void
  renderPartial(key: string, createContext: () => Context): string
}

const MAX_SOURCE_CHARACTERS = 64 * 1024
const MAX_PARSED_SOURCES = 500

// These tags read files, or write output that `outputEscape` does not escape.
const REMOVED_TAGS = ['include', 'layout', 'block', 'tablerow'] as const

/** `{% render 'card', item: item %}`: renders a partial, which reads only the globals and its arguments. */
class RenderTag extends Tag {
  readonly #key: string
  readonly #hash: Hash

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid)
    this.#key = requireName(this.tokenizer.readQuoted()?.content, token)
    this.#hash = new Hash(this.tokenizer)
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, Record<string, unknown>> {
    const scope = yield this.#hash.render(context)
    emitter.write(renderJobOf(context).renderPartial(this.#key, () => context.spawn(scope)))
  }
}

/**
 * `{% list latest kind: 'recent', limit: 5 %}` at the top level of a page's template: a list of articles
 * that is fetched before the template is rendered.
 *
 * @throws Error inside another tag, in a partial, and for more than twelve lists in a template
 */
export class ListTag extends Tag {
  readonly variable: string
  readonly hash: Hash

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid)
    this.variable = requireName(this.tokenizer.readIdentifier().content, token)
    this.hash = new Hash(this.tokenizer)
  }

  // At the top level, `renderPage` has set the variable to the fetched list.
  render(context: Context): void {
    if (context.getSync([this.variable]) !== undefined) return
    throw new Error(
      `{% list ${this.variable} %} must be at the top level of a template, at most 12 per template`,
    )
  }
}

export const liquid: Liquid = createLiquid()

const parsedSources = new Map<string, Template[]>()

/**
 * Parses a source; the isolate caches up to 500 parsed sources.
 *
 * @throws Error when the source is malformed or too long
 */
export function parseTemplate(source: string): Template[] {
  const cached = parsedSources.get(source)
  if (cached) return cached
  if (source.length > MAX_SOURCE_CHARACTERS)
    throw new Error(
      `Template has ${source.length} characters, at most ${MAX_SOURCE_CHARACTERS} are allowed`,
    )
  const templates = liquid.parse(source)
  if (parsedSources.size >= MAX_PARSED_SOURCES) parsedSources.clear()
  parsedSources.set(source, templates)
  return templates
}

// LiquidJS passes no other custom state to the context of a partial.
function renderJobOf(context: Context): RenderJob {
  return context.renderLimit as unknown as RenderJob
}

/** Returns the job as a limiter. LiquidJS's own measures time, which stands still while a worker computes. */
export function asLimiter(job: RenderJob): Context['renderLimit'] {
  return job as unknown as Context['renderLimit']
}

function createLiquid(): Liquid {
  const instance = new Liquid({
    outputEscape: toOutput as (value: unknown) => string,
    ownPropertyOnly: true,
    strictFilters: true,
    relativeReference: false,
  })
  for (const name of REMOVED_TAGS) delete instance.tags[name]
  instance.registerTag('render', RenderTag)
  instance.registerTag('list', ListTag)
  // Without effect: only `SafeHtml` is written unescaped.
  instance.registerFilter('raw', (value) => value)
  for (const [name, filter] of Object.entries(FILTERS)) instance.registerFilter(name, filter)
  return instance
}

function toOutput(this: FilterCall, value: unknown): string {
  const html = value instanceof SafeHtml ? value.toString() : escapeMarkup(toText(value))
  this.context.memoryLimit.use(html.length)
  return html
}

function toText(value: unknown): string {
  const plain: unknown = toValue(value)
  if (plain === null || plain === undefined) return ''
  return Array.isArray(plain) ? plain.map(toText).join('') : String(plain)
}

function requireName(name: string | undefined, token: TagToken): string {
  if (!name) throw new Error(`illegal tag: ${token.getText()}`)
  return name
}
