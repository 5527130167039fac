const SPECIAL = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' } as const

/** Markup that is written unescaped: rich text that the API sanitised, or the worker's own. */
export class SafeHtml {
  readonly #html: string

  constructor(html: string) {
    this.#html = html
  }

  toString(): string {
    return this.#html
  }
}

/** Text for HTML and XML, element content and quoted attributes alike. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => SPECIAL[character as keyof typeof SPECIAL])
}
