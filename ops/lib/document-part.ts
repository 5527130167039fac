/**
 * Finds the part of a Markdown document between `<!-- <name> -->` and `<!-- end of <name> -->`. Returns its
 * text, and `replace`, which returns the document with another text in that part.
 * @throws Error when the document has no such part
 */
export function findPart(document: string, name: string) {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`]
  const [from, to] = [document.indexOf(start), document.indexOf(end)]
  if (from < 0 || to < 0) throw new Error(`The document has no part "${name}".`)
  const begin = from + start.length
  return {
    text: document.slice(begin, to),
    replace: (text: string) => document.slice(0, begin) + text + document.slice(to),
  }
}
