import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { findPart } from '../lib/document-part.ts'

const UPDATE = process.env.UPDATE_DOCS === '1'

/** Expects a part of a document to be what a command printed; with UPDATE_DOCS=1 the part is written instead. */
export async function expectInDocument(file: URL, name: string, text: string): Promise<void> {
  const part = findPart(await readFile(file, 'utf8'), name)
  if (UPDATE) await writeFile(file, part.replace(text))
  else expect(part.text, 'run it with UPDATE_DOCS=1 to write it').toBe(text)
}
