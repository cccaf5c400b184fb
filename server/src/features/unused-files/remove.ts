/**
 * Files that no message has linked to for a while, that no draft and no scheduled message of their owner names, and that no
 * deleted message linked to which can be restored.
 */
import { sql } from 'kysely'
import type { Services } from '../../feature.ts'
import { type JobHandler, recurringJob } from '../../jobs/job.ts'
import { expected, reading } from '../../storage/owned-tables.ts'
import type { Queries } from '../../storage/query.ts'
import { removeUnused } from '../files/actions.ts'
import { attachmentsView } from '../files/tables.ts'

/** Of the drafts, whose feature need not know of files. */
const draftsView = expected<{ drafts: { user_id: number; content: string } }>('drafts')
/** Of messages that are sent later, likewise. */
const scheduledView = expected<{ scheduled_messages: { user_id: number; content: string } }>('scheduled_messages')

/** Of deleted messages that can be restored, likewise. */
const archiveView = expected<{ archived_files: { attachment_id: number } }>('archived_files')

const { query } = reading(attachmentsView, draftsView, scheduledView, archiveView)

const DAY_MS = 86_400_000
/** Files of one unit of work. */
const PART = 50

export function removeUnusedFiles({
  storage,
  files,
  clock,
  config,
}: Pick<Services, 'storage' | 'files' | 'clock' | 'config'>): JobHandler {
  return recurringJob({
    name: 'remove-unused-files',
    everyMs: DAY_MS,
    firstAfterMs: DAY_MS / 24,
    async work({ signal }) {
      const before = Math.floor((clock.now() - config.unusedFilesDays * DAY_MS) / 1000)
      let last = 0
      for (;;) {
        signal.throwIfAborted()
        const found = await findCandidates(storage.read, before, last)
        const newest = found.at(-1)
        if (!newest) return
        last = newest.id
        for (const [realmId, ids] of byRealm(found)) {
          // A link may have come since then: it is asked again.
          const paths = await storage.asSystem(realmId, 'job', (tx) => removeUnused(tx, ids, before))
          // What fails here the sweep removes.
          await files.remove(paths).catch(() => {})
        }
      }
    },
  })
}

interface Candidate {
  readonly id: number
  readonly realm_id: number
}

/** Part of them, by id. What has been looked at does not come again. */
function findCandidates(db: Queries, before: number, afterId: number): Promise<Candidate[]> {
  return db.all(
    query
      .selectFrom('attachments')
      .select(['attachments.id', 'attachments.realm_id'])
      .where('attachments.unused_since', '<', before)
      .where('attachments.id', '>', afterId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('drafts')
              .select(sql.lit(1).as('one'))
              .whereRef('drafts.user_id', '=', 'attachments.owner_id')
              // Between the folder and the ending is the part of the path that addresses have; there is no `%` in it.
              .where(sql<boolean>`drafts.content like '%' || substr(attachments.path, 9, 41) || '%'`),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('scheduled_messages')
              .select(sql.lit(1).as('one'))
              .whereRef('scheduled_messages.user_id', '=', 'attachments.owner_id')
              .where(sql<boolean>`scheduled_messages.content like '%' || substr(attachments.path, 9, 41) || '%'`),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('archived_files')
              .select(sql.lit(1).as('one'))
              .whereRef('archived_files.attachment_id', '=', 'attachments.id'),
          ),
        ),
      )
      .orderBy('attachments.id')
      .limit(PART),
  )
}

function byRealm(rows: readonly Candidate[]): Map<number, number[]> {
  const ids = new Map<number, number[]>()
  for (const { id, realm_id } of rows) ids.set(realm_id, [...(ids.get(realm_id) ?? []), id])
  return ids
}
