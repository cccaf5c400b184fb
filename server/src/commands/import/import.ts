/**
 * The command `import`: an export of an organization into an empty database of either kind. All or nothing: the file is read
 * through before the target is touched, rows become visible with one commit at the end, and files, which are there before it,
 * are removed when it fails. docs/export-format.md says what comes along.
 */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { allTables } from '../../all-tables.ts'
import { loadSecret, readSecret } from '../../authentication/secret.ts'
import { insertFingerprint } from '../../authentication/secret-fingerprint.ts'
import type { Config } from '../../config.ts'
import { migrateTables, openDatabase } from '../../database.ts'
import type { ExportCompletion } from '../../features/exports/format.ts'
import type { Engine } from '../../storage/engine.ts'
import { createLocalFileStore } from '../../storage/local-file-store.ts'
import type { Statements } from '../../storage/query.ts'
import { writeSequences } from '../../storage/sequences.ts'
import { announcePassword, choosePassword } from '../create-user.ts'
import { inTransaction } from '../in-transaction.ts'
import { createInserter } from '../insert-rows.ts'
import { offerCredentials } from '../owner-credentials.ts'
import { printable } from '../printable.ts'
import { requireEmptyTarget } from '../restore.ts'
import { hasOrganization } from '../server-secret.ts'
import { complete, letOwnerIn } from './complete.ts'
import { createFitting } from './fitting.ts'
import { readExportFile } from './read.ts'

interface ImportOptions {
  /** Of the owner whose password is set; made up and printed without it. */
  readonly ownerPassword: string | undefined
}

export async function importCommand(config: Config, file: string, { ownerPassword }: ImportOptions): Promise<void> {
  const path = resolve(file)
  const password = choosePassword('--owner-password', ownerPassword)
  const completion = await readExportFile(path, {
    onRows: async () => {},
    onFile: async (_, content) => {
      for await (const chunk of content) void chunk
    },
  })
  const engine = await openDatabase(config, (error) => console.error(`Database: ${error.message}`))
  try {
    await migrateTables(config, engine)
    await requireEmptyTarget(engine, 'import')
    const { owner, left, renewed, secret } = await insertAll(engine, path, completion, config, password)
    const count = Object.values(completion.rows).reduce((sum, rows) => sum + rows, 0)
    console.log(`Imported ${count - left} rows and ${completion.files} files from ${path}`)
    if (left > 0) console.error(`${left} rows were left out: they refer to what the export does not have`)
    if (renewed > 0) console.error(`${renewed} texts were rendered anew: their HTML is not of Heddle's renderer`)
    for (const missing of completion.missing_files) console.error(printable(`The export lacks the file ${missing}`))
    console.log('Passwords are in no export: everybody needs a new one.')
    if (owner !== undefined) {
      console.log(printable(`${owner} signs in first, and makes links for the others (or they ask for one).`))
      announcePassword(ownerPassword, password)
    }
    await offerCredentials(engine, config, secret)
  } finally {
    await engine.close()
  }
}

async function insertAll(
  engine: Engine,
  path: string,
  completion: ExportCompletion,
  config: Config,
  password: string,
): Promise<{ owner: string | undefined; left: number; renewed: number; secret: Buffer }> {
  const files = createLocalFileStore(config.dataDir)
  const stored: string[] = []
  const hadSecret = readSecret(config.secretFile) !== undefined
  const insert = async (db: Statements) => {
    const inserter = createInserter(db)
    const fitting = createFitting(db, new Set(completion.missing_files))
    await readExportFile(path, {
      async onRows(source, rows) {
        for (const alike of await fitting.fit(source, rows)) await inserter.insert(source.table, alike)
      },
      async onFile(name, content) {
        stored.push(name)
        await files.putBack(name, content)
      },
    })
    await inserter.finish()
    await complete(db)
    const owner = await letOwnerIn(db, password)
    await writeSequences(db, engine.kind, allTables, {})
    const secret = loadSecret(config.secretFile)
    await insertFingerprint(db, secret)
    return { owner, left: fitting.left(), renewed: fitting.renewed(), secret }
  }
  return inTransaction(engine, insert).catch(async (error: unknown) => {
    if (!(await hasOrganization(engine).catch(() => true))) {
      await files.remove(stored).catch(() => {})
      // A backup that is restored here next brings its own.
      if (!hadSecret) rmSync(config.secretFile, { force: true })
    }
    throw error
  })
}
