// An opaque tag in quotes (RFC 9110 §8.8.3).
const OPAQUE = '"[\\x21\\x23-\\x7e\\x80-\\uffff]*"'
const ENTITY_TAG = new RegExp(`^(?:W/)?${OPAQUE}$`)

// RFC 9110 §5.6.1.2: a recipient of a list ignores empty elements.
const LIST_ELEMENT = new RegExp(`[\\t ]*(?:((?:W/)?${OPAQUE})[\\t ]*)?(?:,|$)`, 'y')

/**
 * Creates the weak entity tag `W/"<opaque>"`.
 * @throws TypeError for a character that entity tags must not contain (RFC 9110 §8.8.3)
 */
export function toWeakEtag(opaque: string): string {
  const etag = `W/"${opaque}"`
  if (!ENTITY_TAG.test(etag))
    throw new TypeError(
      `${JSON.stringify(opaque)} has a character that entity tags cannot contain.`,
    )
  return etag
}

/** Returns the value if it is one well-formed entity tag; undefined otherwise. */
export function parseEtag(value: string | null | undefined): string | undefined {
  return value && ENTITY_TAG.test(value) ? value : undefined
}

/** Returns the value if it is a strong entity tag, which identifies exact bytes (RFC 9110 §8.8.1), or undefined. */
export function parseStrongEtag(value: string | undefined): string | undefined {
  return value?.startsWith('W/') ? undefined : parseEtag(value)
}

/** Whether If-None-Match matches the tag, by weak comparison; a malformed list matches no tag. */
export function matchesAny(ifNoneMatch: string, etag: string | undefined): boolean {
  // RFC 9110 §13.1.2: `*` matches any current representation.
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return (
    etag !== undefined &&
    parseList(ifNoneMatch).some((tag) => toOpaqueTag(tag) === toOpaqueTag(etag))
  )
}

/** Whether both tags are strong and equal (strong comparison, RFC 9110 §8.8.3.2). */
export function matchesStrongly(one: string, other: string): boolean {
  return one === other && !one.startsWith('W/') && ENTITY_TAG.test(one)
}

function parseList(list: string): string[] {
  const tags: string[] = []
  LIST_ELEMENT.lastIndex = 0
  while (LIST_ELEMENT.lastIndex < list.length) {
    const element = LIST_ELEMENT.exec(list)
    if (!element) return []
    if (element[1]) tags.push(element[1])
  }
  return tags
}

function toOpaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag
}
