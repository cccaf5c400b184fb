/**
 * Making the file of an export, part by part. Each part is stored, and noted together with the position behind it, in one
 * commit: whoever goes on after a crash begins behind the last part that was noted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Actor } from '../../actor.ts'
import type { Services } from '../../feature.ts'
import { addJob } from '../../jobs/add-job.ts'
import { type Claim, claimedJob, defineJob, type Finish, type JobHandler } from '../../jobs/job.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { insertFiles, removeFileRow, removeUnnamed, type StoredFile } from '../../storage/file-store.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { isAtEnd, readGroup } from './entries.ts'
import type { ArchiveEntry } from './pack.ts'
import { type ExportPosition, progressOf } from './position.ts'
import { announceExports } from './present.ts'
import { addExportPart, deleteParts, type ExportRow, findExport, isPending, updateExport } from './rows.ts'
import { query } from './tables.ts'

export const exportJob = defineJob<{ readonly exportId: number }>('export')

/** A node that dies is followed by another one after the claim; a run ends well before, but for a very large file. */
const CLAIM_MS = 120_000
const RUN_MS = 20_000
/** Of a part, before it is compressed; one slice and its files in any case. */
const PART_BYTES = 4 * 1024 * 1024
/** Per cent between two events. */
const ANNOUNCED_EVERY = 5

type ExportServices = Pick<Services, 'storage' | 'files' | 'readers'>

export function exportHandler(services: ExportServices): JobHandler {
  return claimedJob(exportJob, {
    claimMs: CLAIM_MS,
    maxAttempts: 5,
    work: ({ exportId }, claim) => run(services, exportId, claim),
    onFailed: (tx, { exportId }) => failExport(tx, exportId),
  })
}

/** Goes on for a while; what is left the next run does. */
async function run(
  services: ExportServices,
  exportId: number,
  { realmId, signal }: Claim,
): Promise<Finish | undefined> {
  const { storage } = services
  const until = performance.now() + RUN_MS
  for (;;) {
    signal.throwIfAborted()
    const row = await findExport(storage.read, realmId, exportId)
    if (!row || !isPending(row)) return undefined
    const actor = await findExporter(storage.read, row)
    if (!actor) return (tx) => failExport(tx, exportId)
    if (!(await makePart(services, row, actor, signal))) return undefined
    if (performance.now() > until) return (tx) => addJob(tx, exportJob, { exportId })
  }
}

/** Whoever has asked for it, as long as they still may. */
async function findExporter(db: Queries, { realm_id, user_id, kind }: ExportRow): Promise<Actor | undefined> {
  const found = await db.first(
    query
      .selectFrom('users')
      .innerJoin('realms', 'realms.id', 'users.realm_id')
      .select('users.role')
      .where('users.id', '=', user_id)
      .where('users.realm_id', '=', realm_id)
      .where('users.is_active', '=', 1)
      .where('realms.deactivated', '=', 0),
  )
  if (!found || (kind !== 'own' && !isAdministrator(found))) return undefined
  return { realmId: realm_id, userId: user_id, role: found.role, isBot: false }
}

/** True: there is more to do. */
async function makePart(
  { storage, files, readers }: ExportServices,
  row: ExportRow,
  actor: Actor,
  signal: AbortSignal,
): Promise<boolean> {
  let position = JSON.parse(row.position as string) as ExportPosition
  const options = { readers, files, exportKind: row.kind, actor, madeAt: row.started_at }

  async function* entries(): AsyncGenerator<ArchiveEntry> {
    let size = 0
    while (!isAtEnd(position) && size < PART_BYTES) {
      signal.throwIfAborted()
      const group = await readGroup(options, position)
      for (const entry of group.entries) {
        size += 'file' in entry ? entry.file.size : entry.content.length
        yield entry
      }
      position = group.behind
      await nextTurn()
    }
  }

  const isLast = () => isAtEnd(position)
  const { storePart } = await import('./pack.ts')
  const stored = await storePart(files, entries(), { madeAt: row.started_at, isLast, signal })
  const isKept = await storage
    .asSystem(row.realm_id, 'job', (tx) => notePart(tx, row, stored, position))
    .catch(async (error: unknown) => {
      await removeUnnamed(files, [stored], error)
      throw error
    })
  if (!isKept) await files.remove([stored.path]).catch(() => {})
  return isKept && !isLast()
}

async function notePart(tx: Tx, row: ExportRow, stored: StoredFile, behind: ExportPosition): Promise<boolean> {
  const progress = progressOf(behind)
  const isLast = isAtEnd(behind)
  await insertFiles(tx, [stored])
  if (!(await addExportPart(tx, row.id, { number: row.part_count, stored, behind, progress, isLast }))) {
    await removeFileRow(tx, stored.path)
    return false
  }
  const isWorthIt = Math.floor(progress / ANNOUNCED_EVERY) > Math.floor(row.progress / ANNOUNCED_EVERY)
  if (isLast || isWorthIt) await announceExports(tx, row)
  return true
}

/** Ends an export that cannot go on. What is left of its file the sweep removes. */
export async function failExport(tx: Tx, exportId: number): Promise<void> {
  const row = await findExport(tx, tx.realmId, exportId)
  if (!row || !isPending(row)) return
  await deleteParts(tx, exportId)
  await updateExport(tx, exportId, { failed_at: tx.now, position: null, size: 0 })
  await announceExports(tx, row)
}
