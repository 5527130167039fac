const SPECIAL = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' } as const

/** Markup that may reach a page as it is: rich text that the API sanitised, or what the engine made itself. */
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
