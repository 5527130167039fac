import type { PublishedObject } from '../../themes/assets.ts'
import type { BucketClient } from './bucket.ts'

/** Matches keys that browsers reuse without revalidation (`immutable`), so the content must not change. */
const VERSIONED = /^css\//

/**
 * Whether the object is missing from the bucket or has another content there.
 * @throws Error when a published version has another content
 */
export async function needsUpload(bucket: BucketClient, object: PublishedObject): Promise<boolean> {
  const found = await bucket.compare(object)
  if (found === 'other' && VERSIONED.test(object.key))
    throw new Error(
      `${object.key} is published with another content, which browsers reuse without revalidation. Give the change a new version.`,
    )
  return found !== 'same'
}
