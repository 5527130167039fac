import { Context, type Template, toValueSync } from 'liquidjs'
import type { ResolvedTemplate } from '../../../contract/template.ts'
import { asLimiter, ListTag, liquid, parseTemplate, type RenderJob } from './liquid.ts'

export interface TemplateScope {
  templates: readonly ResolvedTemplate[]
  language: string
  /** What every template of the page sees. */
  globals: Record<string, unknown>
  warn(message: string, fields: Record<string, unknown>): void
}

export type View = Record<string, unknown>
export type FetchLists = (lists: ReadonlyMap<string, View>) => Promise<View>

const MAX_STEPS = 100_000
const MAX_STEPS_OF_PARTIAL = 20_000
const MAX_COST = 16_000_000
const MAX_DEPTH = 16

/**
 * Renders the templates of one page, each from the strongest of its sources that works: one that does not parse,
 * throws or costs too much is skipped with a warning, for the rest of the page.
 */
export class Renderer implements RenderJob {
  readonly #scope: TemplateScope
  readonly #skipped = new Set<string>()
  #steps = 0
  #stepLimit = MAX_STEPS
  #cost = 0
  #depth = 0

  constructor(scope: TemplateScope) {
    this.#scope = scope
  }

  /** The template of a page, or of the document around it; `fetchLists` answers its `list` tags. */
  async renderPage(key: string, view: View, fetchLists: FetchLists): Promise<string> {
    for (const source of this.#sourcesOf(key)) {
      this.#steps = this.#cost = 0
      const page = this.#attempt(key, source, () => {
        const template = parseTemplate(source)
        return { template, lists: readLists(template, this.#createContext(view)) }
      })
      if (!page) continue
      const lists = await fetchLists(page.lists)
      const html = this.#attempt(key, source, () =>
        this.#run(page.template, this.#createContext({ ...view, ...lists })),
      )
      if (html !== undefined) return html
    }
    throw new NoTemplate(key)
  }

  renderPartial(key: string, createContext: () => Context): string {
    if (this.#depth >= MAX_DEPTH) throw new Error('Templates are nested too deeply')
    const limit = this.#stepLimit
    // A caller that has used up its own bounds is at fault, not this template.
    const isAtFault = () => this.#steps <= limit && this.#cost <= MAX_COST
    this.#depth++
    try {
      for (const source of this.#sourcesOf(key)) {
        this.#stepLimit = Math.min(limit, this.#steps + MAX_STEPS_OF_PARTIAL)
        const run = () => this.#run(parseTemplate(source), createContext())
        const html = this.#attempt(key, source, run, isAtFault)
        if (html !== undefined) return html
      }
    } finally {
      this.#depth--
      this.#stepLimit = limit
    }
    throw new NoTemplate(key)
  }

  use(count: number): void {
    if (count > 0) this.#cost += count
    if (this.#cost > MAX_COST) throw new Error('The template makes too much')
  }

  check(): void {
    if (++this.#steps > this.#stepLimit) throw new Error('The template takes too many steps')
  }

  #run(template: Template[], context: Context): string {
    const emitter = {
      buffer: '',
      write: (html: unknown) => {
        const text = String(html)
        this.use(text.length)
        emitter.buffer += text
      },
    }
    toValueSync(liquid.renderer.renderTemplates(template, context, emitter))
    return emitter.buffer
  }

  #attempt<T>(key: string, source: string, run: () => T, isAtFault = () => true): T | undefined {
    try {
      return run()
    } catch (error) {
      if (!isAtFault()) throw error
      this.#skipped.add(source)
      this.#scope.warn('A template failed; the next source takes its place', {
        template: key,
        language: this.#scope.language,
        error: error instanceof Error ? error.message : String(error),
      })
      return undefined
    }
  }

  #createContext(view: View): Context {
    const limiter = asLimiter(this)
    const options = { globals: this.#scope.globals, sync: true }
    return new Context(view, liquid.options, options, {
      memoryLimit: limiter,
      renderLimit: limiter,
      liquid,
    })
  }

  // The language's own entry first, then the one for every language.
  #sourcesOf(key: string): string[] {
    const { templates, language } = this.#scope
    const sources = [language, null].flatMap((wanted) =>
      templates
        .filter((template) => template.key === key && template.language === wanted)
        .flatMap((template) => [template, ...template.fallbacks])
        .map(({ source }) => source),
    )
    return [...new Set(sources)].filter((source) => !this.#skipped.has(source))
  }
}

class NoTemplate extends Error {
  constructor(key: string) {
    super(`No source of the template "${key}" renders`)
  }
}

function readLists(template: Template[], context: Context): Map<string, View> {
  const tags = template.filter((node) => node instanceof ListTag)
  return new Map(tags.map((tag) => [tag.variable, toValueSync(tag.hash.render(context)) as View]))
}
