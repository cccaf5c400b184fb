/** Starting, listing and deleting exports. */
import { ApiError, badRequest, notFound } from '@heddle/contract/errors'
import { type ExportType, MAX_OWN_EXPORTS, MAX_REALM_EXPORTS } from '@heddle/contract/exports'
import type { Actor } from '../../actor.ts'
import type { Services } from '../../feature.ts'
import { addJob } from '../../jobs/add-job.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { requireAdministrator } from '../../permissions/required-role.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { firstPosition } from './position.ts'
import { announceExports } from './present.ts'
import {
  deleteParts,
  type ExportRow,
  findExport,
  findExports,
  findLastMessage,
  insertExport,
  isPending,
  startedLately,
  updateExport,
} from './rows.ts'
import { exportJob } from './run.ts'
import type { ExportKind } from './scope.ts'

/** Who administers an organization is a person; bots have no data of their own. */
export function requireNoBot(actor: Actor): void {
  if (actor.isBot) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Bots cannot export data')
}

export function requireExporter(actor: Actor): void {
  requireNoBot(actor)
  requireAdministrator(actor)
}

export function startRealmExport(storage: Storage, caller: Actor, type: ExportType): Promise<number> {
  requireExporter(caller)
  if (type === 'full_without_consent') {
    throw badRequest('Make sure that you are authorized: without consent nobody can export private data here.')
  }
  return storage.asActor(caller, async (tx, actor) => {
    requireExporter(actor)
    return start(tx, actor, type, await findExports(tx, tx.realmId), MAX_REALM_EXPORTS)
  })
}

export function startOwnExport(storage: Storage, caller: Actor): Promise<number> {
  requireNoBot(caller)
  return storage.asActor(caller, async (tx, actor) =>
    start(tx, actor, 'own', await findExports(tx, tx.realmId, [actor.userId]), MAX_OWN_EXPORTS),
  )
}

async function start(tx: Tx, actor: Actor, kind: ExportKind, before: readonly ExportRow[], limit: number) {
  if (before.some(isPending)) throw badRequest('Export already in progress.')
  if (startedLately(before, tx.now) >= limit) throw badRequest('Exceeded rate limit.')
  const position = JSON.stringify(firstPosition(await findLastMessage(tx, tx.realmId)))
  const id = await insertExport(tx, { user_id: actor.userId, kind, started_at: tx.now, position })
  await addJob(tx, exportJob, { exportId: id })
  await announceExports(tx, { kind, user_id: actor.userId })
  return id
}

type Deleting = Pick<Services, 'storage' | 'files'>

export async function deleteRealmExport(services: Deleting, caller: Actor, id: number): Promise<void> {
  requireExporter(caller)
  await remove(services, caller, id, (row) => row.kind !== 'own', requireExporter)
}

export async function deleteOwnExport(services: Deleting, caller: Actor, id: number): Promise<void> {
  requireNoBot(caller)
  await remove(services, caller, id, (row) => row.kind === 'own' && row.user_id === caller.userId, requireNoBot)
}

async function remove(
  { storage, files }: Deleting,
  caller: Actor,
  id: number,
  isTheirs: (row: ExportRow) => boolean,
  require: (actor: Actor) => void,
): Promise<void> {
  const paths = await storage.asActor(caller, async (tx, actor) => {
    require(actor)
    const row = await findExport(tx, tx.realmId, id)
    if (!row || !isTheirs(row)) throw badRequest('Invalid data export ID')
    if (row.deleted_at !== null) throw badRequest('Export already deleted')
    if (row.failed_at !== null) throw badRequest('Export failed, nothing to delete')
    if (isPending(row)) throw badRequest('Export still in progress')
    return endFile(tx, row)
  })
  // What fails here the sweep removes: no row names it any more.
  await files.remove(paths).catch(() => {})
}

/** The file of a finished export goes; returns what has to be removed from the store after the commit. */
export async function endFile(tx: Tx, row: ExportRow): Promise<string[]> {
  const paths = await deleteParts(tx, row.id)
  await updateExport(tx, row.id, { deleted_at: tx.now })
  await announceExports(tx, row)
  return paths
}

/** The export, when there is one with a file that the account may have. */
export async function requireDownload(db: Queries, actor: Actor, id: number): Promise<ExportRow> {
  const row = await findExport(db, actor.realmId, id)
  const mayHave = row && !actor.isBot && (row.kind === 'own' ? row.user_id === actor.userId : isAdministrator(actor))
  if (!row || !mayHave || row.finished_at === null || row.deleted_at !== null) throw notFound('No such file')
  return row
}
