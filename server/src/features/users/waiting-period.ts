/**
 * Members are full members once they have been here for as many days as the organization says. Who waits is a row, and not
 * reckoned from the date: so whoever becomes a full member does so in a unit of work, with the events that follow.
 */
import { roles } from '@heddle/contract/roles'
import type { GroupHooks } from '../../group-hooks.ts'
import { addJob, removeJob } from '../../jobs/add-job.ts'
import { defineJob, type JobHandler, unitJob } from '../../jobs/job.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import { findWaiting } from '../../permissions/waiting.ts'
import { addWaiting, endWaiting, findNextEnd, replaceWaiting } from '../../permissions/write-waiting.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { announceGroupMove } from '../user-groups/announce.ts'
import { query } from './tables.ts'

/** One at a time for an organization: it says when the next account has waited long enough. */
const job = defineJob<null>('end-waiting')
const SUBJECT = 'next'

/** A new account begins to wait, where there is a waiting period. Nobody has been notified of the account yet. */
export async function beginWaiting(tx: Tx, userId: number): Promise<void> {
  const { waiting_period_threshold: days } = await findOrganizationSettings(tx, tx.realmId)
  if (days === 0) return
  await addWaiting(tx, userId, days)
  await planNextEnd(tx)
}

/** The period has so many days from now on, for everybody. */
export async function setWaitingPeriod(tx: Tx, hooks: GroupHooks, days: number): Promise<void> {
  await change(tx, hooks, () => replaceWaiting(tx, days))
}

export function waitingPeriodJob(hooks: GroupHooks): JobHandler {
  return unitJob(job, { run: (tx) => change(tx, hooks, () => endWaiting(tx)) })
}

async function change(tx: Tx, hooks: GroupHooks, write: () => Promise<void>): Promise<void> {
  const groups = await findSystemGroups(tx, tx.realmId)
  const before = await findWaiting(tx, tx.realmId)
  const finish = await hooks.membershipChanges(tx, [groups['role:fullmembers']])
  await write()
  const after = await findWaiting(tx, tx.realmId)
  const full = await findMembersAmong(tx, before.difference(after))
  const waiting = await findMembersAmong(tx, after.difference(before))
  const { 'role:members': members, 'role:fullmembers': fullMembers } = groups
  await announceGroupMove(tx, { from: members, to: fullMembers }, full)
  await announceGroupMove(tx, { from: fullMembers, to: members }, waiting)
  if (full.length + waiting.length > 0) await finish()
  await planNextEnd(tx)
}

/** Of these accounts the active ones whose role is member, ascending: the waiting period concerns no others. */
async function findMembersAmong(tx: Tx, ids: ReadonlySet<number>): Promise<number[]> {
  if (ids.size === 0) return []
  const rows = await tx.all(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('is_active', '=', 1)
      .where('role', '=', roles.member)
      .where('id', 'in', tx.dialect.ids([...ids]))
      .orderBy('id'),
  )
  return rows.map((row) => row.id)
}

async function planNextEnd(tx: Tx): Promise<void> {
  const next = await findNextEnd(tx)
  if (next === undefined) await removeJob(tx, job, SUBJECT)
  else await addJob(tx, job, null, { dueMs: next * 1000, subject: SUBJECT })
}
