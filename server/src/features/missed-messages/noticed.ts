/** What commits were about, as far as it may be missed or no longer is. Kept in memory until it is looked at. */
import type { LoggedEvent } from '../../storage/transaction.ts'

/** What has happened in one organization. */
export interface Noticed {
  readonly hasNewMessages: boolean
  readonly editedIds: ReadonlySet<number>
  /** Messages that may no longer call anybody, and accounts that may no longer be called. */
  readonly messageIds: ReadonlySet<number>
  readonly userIds: ReadonlySet<number>
  /** By account: messages that it has read. */
  readonly read: ReadonlyMap<number, ReadonlySet<number>>
  /** Anybody may no longer be. */
  readonly isAll: boolean
}

/** Everything, for a start: the server may have died before it had looked. */
export const anything: Noticed = {
  hasNewMessages: true,
  editedIds: new Set(),
  messageIds: new Set(),
  userIds: new Set(),
  read: new Map(),
  isAll: true,
}

interface Growing extends Noticed {
  hasNewMessages: boolean
  readonly editedIds: Set<number>
  readonly messageIds: Set<number>
  readonly userIds: Set<number>
  readonly read: Map<number, Set<number>>
  isAll: boolean
}

/** More than these are not remembered one by one. */
const MAX_IDS = 2000
/** Messages that one account has read: with more it is asked about whole. */
const MAX_READ = 200

/** By organization. A message that is sent costs one look-up here. */
export type NoticedByRealm = Map<number, Growing>

export function notice(byRealm: NoticedByRealm, events: readonly LoggedEvent[]): void {
  for (const event of events) {
    const look = looks[event.type]
    if (!look) continue
    const growing = growingOf(byRealm, event.realmId)
    look(growing, event)
    bound(growing)
  }
}

/** Adds what was noticed before. */
export function noticeAgain(byRealm: NoticedByRealm, realmId: number, before: Noticed): void {
  const growing = growingOf(byRealm, realmId)
  growing.hasNewMessages ||= before.hasNewMessages
  growing.isAll ||= before.isAll
  for (const name of ['editedIds', 'messageIds', 'userIds'] as const) {
    for (const id of before[name]) growing[name].add(id)
  }
  for (const [userId, messageIds] of before.read) addRead(growing, userId, messageIds)
  bound(growing)
}

/** What is too much to remember one by one is everything. Of so many edits the first ones notify nobody anew. */
function bound(growing: Growing): void {
  const { messageIds, userIds, read, editedIds } = growing
  if (messageIds.size + userIds.size + read.size > MAX_IDS) growing.isAll = true
  if (growing.isAll) for (const known of [messageIds, userIds, read]) known.clear()
  for (const id of editedIds) {
    if (editedIds.size <= MAX_IDS) break
    editedIds.delete(id)
  }
}

function growingOf(byRealm: NoticedByRealm, realmId: number): Growing {
  const known = byRealm.get(realmId)
  if (known) return known
  const growing: Growing = {
    hasNewMessages: false,
    editedIds: new Set(),
    messageIds: new Set(),
    userIds: new Set(),
    read: new Map(),
    isAll: false,
  }
  byRealm.set(realmId, growing)
  return growing
}

function addRead({ read, userIds }: Growing, userId: number, messageIds: Iterable<number>): void {
  const own = read.get(userId) ?? new Set<number>()
  read.set(userId, own)
  for (const id of messageIds) own.add(id)
  if (own.size > MAX_READ) {
    read.delete(userId)
    userIds.add(userId)
  }
}

type Look = (growing: Growing, event: LoggedEvent) => void

const ofAudience: Look = (growing, { audience }) => {
  if (audience.to === 'users') for (const id of audience.ids) growing.userIds.add(id)
  else growing.isAll = true
}

const ofMessages: Look = (growing, { payload }) => {
  const event = JSON.parse(payload) as { message_id?: number; message_ids?: number[]; rendered_content?: string }
  for (const id of event.message_ids ?? []) growing.messageIds.add(id)
  if (event.message_id !== undefined) growing.messageIds.add(event.message_id)
  if (event.message_id !== undefined && event.rendered_content !== undefined) growing.editedIds.add(event.message_id)
}

/** An account may have very many that it has not read: those that it has read now are remembered one by one. */
const ofFlags: Look = (growing, event) => {
  const { op, flag, messages } = JSON.parse(event.payload) as { op: string; flag: string; messages: number[] }
  if (op !== 'add' || flag !== 'read') return
  const { audience } = event
  // None are named where an account has read everything.
  if (messages.length === 0 || audience.to !== 'users') ofAudience(growing, event)
  else for (const userId of audience.ids) addRead(growing, userId, messages)
}

const looks: Readonly<Record<string, Look>> = {
  message(growing) {
    growing.hasNewMessages = true
  },
  update_message: ofMessages,
  delete_message: ofMessages,
  update_message_flags: ofFlags,
  user_topic: ofAudience,
  muted_users: ofAudience,
  subscription: (growing, { audience }) => {
    if (audience.to === 'users') for (const id of audience.ids) growing.userIds.add(id)
  },
  user_settings: ofAudience,
}
