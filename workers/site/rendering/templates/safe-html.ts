const SPECIAL = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' } as const

/** Markup that is written unescaped: rich text that the API sanitised, or markup of the worker. */
export class SafeHtml {
  readonly #html: string

  constructor(html: string) {
    this.#html = html
  }

  toString(): string {
    return this.#html
  }
}

/** Escapes text for element content and quoted attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => SPECIAL[character as keyof typeof SPECIAL])
}
