import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface StoredObject {
  key: string
  size: number
  contentType: string
  /** Strong, quoted: the MD5 of the body, as in S3. */
  etag: string
  lastModified: Date
}

export interface Bucket {
  find(key: string): StoredObject | undefined
  /** Returns the objects whose keys have the prefix and follow `after`, in UTF-8 order. */
  list(prefix: string, after: string): StoredObject[]
  /** Returns the body, or a range of it; `end` is the last byte. */
  read(object: StoredObject, range?: { start: number; end: number }): Readable
  /**
   * Stores an object.
   *
   * @throws RangeError when the body does not have the given SHA-256; then nothing is stored
   */
  put(
    key: string,
    contentType: string,
    body: AsyncIterable<Uint8Array>,
    sha256?: string,
  ): Promise<StoredObject>
  remove(key: string): Promise<void>
}

/** A line of the log; `object` is null for a deletion, `at` is the time of the upload. */
interface LogEntry {
  key: string
  object: (Omit<StoredObject, 'key' | 'lastModified'> & { at: string }) | null
}

/** Opens a bucket in a folder. Each body is a file, named by the SHA-256 of its key; a log has all writes. */
export async function openBucket(folder: string): Promise<Bucket> {
  await mkdir(folder, { recursive: true })
  const logFile = join(folder, 'log.jsonl')
  const objects = await replay(logFile)
  const fileOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'))
  const log = (entry: LogEntry) => appendFile(logFile, `${JSON.stringify(entry)}\n`)

  return {
    find: (key) => objects.get(key),
    list: (prefix, after) =>
      [...objects.values()]
        .filter(({ key }) => key.startsWith(prefix) && compareKeys(key, after) > 0)
        .sort((a, b) => compareKeys(a.key, b.key)),
    read: ({ key }, range) => createReadStream(fileOf(key), range),
    async put(key, contentType, body, sha256) {
      const partFile = join(folder, `${randomUUID()}.part`)
      const { md5, sha256: actual, size } = await write(partFile, body)
      if (sha256 !== undefined && sha256 !== actual) {
        await rm(partFile)
        throw new RangeError('The body does not match its SHA-256.')
      }
      // Whole seconds, as in HTTP dates.
      const lastModified = new Date(Math.floor(Date.now() / 1000) * 1000)
      const object = { key, size, contentType, etag: `"${md5}"`, lastModified }
      await rename(partFile, fileOf(key))
      await log({
        key,
        object: { size, contentType, etag: object.etag, at: lastModified.toJSON() },
      })
      objects.set(key, object)
      return object
    },
    async remove(key) {
      if (!objects.delete(key)) return
      await log({ key, object: null })
      await rm(fileOf(key), { force: true })
    },
  }
}

async function replay(logFile: string): Promise<Map<string, StoredObject>> {
  const objects = new Map<string, StoredObject>()
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  for (const line of lines) {
    const { key, object }: LogEntry = JSON.parse(line)
    if (object === null) objects.delete(key)
    else objects.set(key, { ...object, key, lastModified: new Date(object.at) })
  }
  return objects
}

async function write(file: string, body: AsyncIterable<Uint8Array>) {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  let size = 0
  const measure = new Transform({
    transform(chunk: Uint8Array, _encoding, callback) {
      size += chunk.byteLength
      md5.update(chunk)
      sha256.update(chunk)
      callback(null, chunk)
    },
  })
  await pipeline(body, measure, createWriteStream(file))
  return { size, md5: md5.digest('hex'), sha256: sha256.digest('hex') }
}

function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
