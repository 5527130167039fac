import { Context, LiquidError, type Template, toValueSync } from 'liquidjs'
import type { ResolvedTemplate } from '../../../../contract/template.ts'
import { type Bounds, Budget } from './budget.ts'
import { toFallbackSource } from './fallback-templates.ts'
import { asLimiter, ListTag, liquid, parseTemplate, type RenderJob } from './liquid.ts'

export interface RendererDeps {
  templates: readonly ResolvedTemplate[]
  language: string
  /** Variables of every template of the page. */
  globals: Record<string, unknown>
  /** Whether a plain template is rendered if all sources of a page or of the document fail. */
  hasFallback?: boolean
  onFailure(failure: TemplateFailure): void
}

/** A source that cannot be parsed, fails or exceeds its render budget. */
export interface TemplateFailure {
  key: string
  source: string
  message: string
  /** Line of the source, from 1; undefined when unknown. */
  line: number | undefined
}

/** Variables of a template. */
export type View = Record<string, unknown>
/** Fetches the lists of `list` tags: takes their parameters by variable, and returns the articles by variable. */
export type FetchLists = (lists: ReadonlyMap<string, View>) => Promise<View>

const PAGE_BOUNDS: Bounds = { steps: 100_000, cost: 16_000_000 }
const PARTIAL_BOUNDS: Bounds = { steps: 20_000, cost: 4_000_000 }

/**
 * Renders the templates of one page, each from its first source that works. A source that fails is reported,
 * and not used again for the page.
 */
export class Renderer implements RenderJob {
  readonly #deps: RendererDeps
  readonly #budget = new Budget()
  readonly #sources = new Map<string, string[]>()

  constructor(deps: RendererDeps) {
    this.#deps = deps
  }

  /**
   * Renders the template of a page, or of the document around it, with the lists of its `list` tags.
   *
   * @throws Error when all sources of the template fail, or `fetchLists` rejects
   */
  async renderPage(key: string, view: View, fetchLists: FetchLists): Promise<string> {
    const sources = this.#sourcesOf(key)
    if (sources.length === 0)
      this.#deps.onFailure({ key, source: '', message: 'There is no source', line: undefined })
    const fallback = this.#deps.hasFallback ? [toFallbackSource(key)] : []
    for (const source of [...sources, ...fallback]) {
      const parsed = this.#attempt(key, source, PAGE_BOUNDS, () => {
        const template = parseTemplate(source)
        return { template, listParameters: readListParameters(template, this.#createContext(view)) }
      })
      if (!parsed) continue
      const lists = await fetchLists(parsed.listParameters)
      const html = this.#attempt(key, source, PAGE_BOUNDS, () =>
        this.#run(parsed.template, this.#createContext({ ...view, ...lists })),
      )
      if (html !== undefined) return html
    }
    throw new NoTemplateError(key)
  }

  renderPartial(key: string, createContext: () => Context): string {
    for (const source of this.#sourcesOf(key)) {
      const html = this.#attempt(key, source, PARTIAL_BOUNDS, () =>
        this.#run(parseTemplate(source), createContext()),
      )
      if (html !== undefined) return html
    }
    throw new NoTemplateError(key)
  }

  use(count: number): void {
    this.#budget.spend(count)
  }

  check(): void {
    this.#budget.step()
  }

  #run(template: Template[], context: Context): string {
    const emitter = {
      buffer: '',
      write: (html: unknown) => {
        const text = String(html)
        this.#budget.spend(text.length)
        emitter.buffer += text
      },
    }
    toValueSync(liquid.renderer.renderTemplates(template, context, emitter))
    return emitter.buffer
  }

  #attempt<T>(key: string, source: string, bounds: Bounds, run: () => T): T | undefined {
    return this.#budget.attempt(bounds, run, (error) => {
      this.#sources.set(
        key,
        this.#sourcesOf(key).filter((each) => each !== source),
      )
      this.#deps.onFailure({ key, source, ...describeFailure(error) })
    })
  }

  #createContext(view: View): Context {
    const limiter = asLimiter(this)
    const options = { globals: this.#deps.globals, sync: true }
    return new Context(view, liquid.options, options, {
      memoryLimit: limiter,
      renderLimit: limiter,
      liquid,
    })
  }

  #sourcesOf(key: string): string[] {
    const cached = this.#sources.get(key)
    if (cached) return cached
    const sources = resolveSources(key, this.#deps)
    this.#sources.set(key, sources)
    return sources
  }
}

// The entry for the language precedes the entry for all languages.
function resolveSources(key: string, { templates, language }: RendererDeps): string[] {
  const sources = [language, null].flatMap((entryLanguage) =>
    templates
      .filter((template) => template.key === key && template.language === entryLanguage)
      .flatMap((template) => [template, ...template.fallbacks])
      .map(({ source }) => source),
  )
  return [...new Set(sources)]
}

class NoTemplateError extends Error {
  constructor(key: string) {
    super(`No source of the template "${key}" could be rendered`)
  }
}

function readListParameters(template: Template[], context: Context): Map<string, View> {
  const tags = template.filter((node) => node instanceof ListTag)
  return new Map(tags.map((tag) => [tag.variable, toValueSync(tag.hash.render(context)) as View]))
}

/** Returns the message of an error, and the line in the source if LiquidJS reports it. */
export function describeFailure(error: unknown): Pick<TemplateFailure, 'message' | 'line'> {
  const [line] = error instanceof LiquidError ? error.token.getPosition() : []
  return { message: error instanceof Error ? error.message : String(error), line }
}
