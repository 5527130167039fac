import { readFile, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { findPart } from '../lib/document-part.ts'

const UPDATE = process.env.UPDATE_DOCS === '1'

/**
 * Expects that a part of a document equals a text; with UPDATE_DOCS=1
 * it writes the text to the document instead.
 */
export async function expectInDocument(file: URL, name: string, text: string): Promise<void> {
  const part = findPart(await readFile(file, 'utf8'), name)
  if (UPDATE) await writeFile(file, part.replace(text))
  else expect(part.text, 'the document is out of date: run this test with UPDATE_DOCS=1').toBe(text)
}
