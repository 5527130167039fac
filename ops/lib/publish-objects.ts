import type { StoredObject } from '../../themes/assets.ts'
import type { Bucket } from './bucket.ts'

/** Browsers keep these without asking (`immutable`), so their content never changes. */
const VERSIONED = /^css\//

/** Whether the bucket lacks the object or holds it with another content. @throws Error for a version of another content */
export async function needsUpload(bucket: Bucket, object: StoredObject): Promise<boolean> {
  const found = await bucket.compare(object)
  if (found === 'other' && VERSIONED.test(object.key))
    throw new Error(
      `${object.key} is published with another content, which browsers keep without asking: give the change a new version.`,
    )
  return found !== 'same'
}
