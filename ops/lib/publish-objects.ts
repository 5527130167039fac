import type { PublishedObject } from '../../themes/assets.ts'
import type { BucketClient } from './bucket.ts'

/** Browsers store these without revalidation (`immutable`), so their content must not change. */
const VERSIONED = /^css\//

/**
 * Whether the object is missing from the bucket or has another content there.
 * @throws Error when a published version has another content
 */
export async function needsUpload(bucket: BucketClient, object: PublishedObject): Promise<boolean> {
  const found = await bucket.compare(object)
  if (found === 'other' && VERSIONED.test(object.key))
    throw new Error(
      `${object.key} is published with another content, which browsers store without revalidation. Give the change a new version.`,
    )
  return found !== 'same'
}
