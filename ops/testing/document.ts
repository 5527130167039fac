import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'

const UPDATE = process.env.UPDATE_DOCS === '1'

/**
 * Expects a part of a Markdown document to be what a command printed; with UPDATE_DOCS=1 it is written instead. The part
 * lies between `<!-- <name> -->` and `<!-- end of <name> -->`.
 */
export async function expectInDocument(file: URL, name: string, text: string): Promise<void> {
  const document = await readFile(file, 'utf8')
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`]
  const [from, to] = [document.indexOf(start), document.indexOf(end)]
  expect(from >= 0 && to > from, `${file.pathname} has no part "${name}"`).toBe(true)
  const begin = from + start.length
  if (UPDATE) await writeFile(file, document.slice(0, begin) + text + document.slice(to))
  else expect(document.slice(begin, to), 'run it with UPDATE_DOCS=1 to write it').toBe(text)
}
