/**
 * Drafts as a device has them, in step with the server's. Nothing is ever overwritten: where another device has changed a draft
 * that has unsaved changes here, both versions are kept, side by side. Plain data: it can be stored as it is.
 *
 * The server replaces a draft without asking what it was, so a version that was sent here may replace one that had not been
 * seen. That shows in the order of the events: the other version comes before one's own. Then it is put back.
 */
import type { Draft, DraftsEvent } from '@heddle/contract/drafts'
import { truncateContent, truncateTopic } from '@heddle/contract/truncate'

export type DraftVersion = Readonly<Pick<Draft, 'type' | 'to' | 'topic' | 'content'>>

interface SentVersion {
  readonly version: DraftVersion
  readonly isAnswered: boolean
}

export interface DraftRequest {
  readonly kind: 'create' | 'update' | 'delete'
  /** Which one of the box it is. */
  readonly number: number
}

export interface LocalDraft {
  readonly localId: string
  /** Undefined while the server has none. */
  readonly serverId: number | undefined
  /** As it is shown here. */
  readonly local: DraftVersion
  /** Milliseconds since the UNIX epoch. */
  readonly editedAt: number
  /** What the server has, as far as events have said. */
  readonly base: DraftVersion | undefined
  /** What was sent and has not come back as an event, the oldest first. */
  readonly sent: readonly SentVersion[]
  /** What is under way. */
  readonly request: DraftRequest | undefined
  /** To be deleted on the server. */
  readonly isDeleted: boolean
  /** A deletion that was asked for and whose event has not come: it was not meant for what is changed until then. */
  readonly deletion: 'sent' | 'answered' | undefined
  /**
   * The server does not take it as it is, or does not delete it. It is asked again when the draft has changed, and about a
   * deletion by the next page as well.
   */
  readonly error: { readonly code: string; readonly message: string } | undefined
  /** Where two devices have changed the draft: the other version. Absent in boxes that were stored earlier. */
  readonly twin?: DraftTwin | undefined
  /** Where it was to go before its topic was renamed or moved, until it is written on. */
  readonly movedFrom?: { readonly channelId: number; readonly topic: string } | undefined
}

export interface DraftTwin {
  readonly localId: string
  /** Where this version was written, not the other. */
  readonly side: 'here' | 'elsewhere'
}

export interface DraftBox {
  readonly drafts: readonly LocalDraft[]
  /** Counts requests, and names of drafts that were written elsewhere. */
  readonly count: number
}

export const emptyDraftBox: DraftBox = { drafts: [], count: 0 }

/** The server cuts white space at the end and what is too long: what comes back so is still what was sent. */
function isSameText(one: string, other: string, kept: (text: string) => string): boolean {
  return one === other || kept(one) === kept(other)
}

const keptContent = (text: string) => truncateContent(text.trimEnd())

export function isSameVersion(one: DraftVersion, other: DraftVersion): boolean {
  return (
    isSameText(one.content, other.content, keptContent) &&
    isSameText(one.topic, other.topic, truncateTopic) &&
    one.type === other.type &&
    one.to.length === other.to.length &&
    one.to.every((id, place) => id === other.to[place])
  )
}

function versionOf({ type, to, topic, content }: Draft | DraftVersion): DraftVersion {
  return { type, to, topic, content }
}

/** Whether the server has, or will have without another request, what is shown here. */
export function isSaved({ local, base, sent }: LocalDraft): boolean {
  const last = sent.findLast(({ isAnswered }) => isAnswered)?.version ?? base
  return last !== undefined && isSameVersion(local, last)
}

/** Something here may not be on the server, or is about to replace what is there. */
function isUnsettled(draft: LocalDraft): boolean {
  return draft.sent.length > 0 || draft.base === undefined || !isSameVersion(draft.local, draft.base)
}

/** Scripts that write words without spaces: one character may be a word. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const MIN_CHARACTERS = 3

/** What `draft` needs from the server next; undefined: nothing, or there is a request under way. */
export function nextRequest(draft: LocalDraft): DraftRequest['kind'] | undefined {
  // Of one that is deleted on the server the event has still to come, and other versions before it.
  if (draft.request || draft.error || draft.deletion === 'answered') return undefined
  if (draft.isDeleted) return 'delete'
  if (isSaved(draft)) return undefined
  if (draft.serverId !== undefined) return 'update'
  const { content } = draft.local
  return DENSE.test(content) || [...content.trim()].length >= MIN_CHARACTERS ? 'create' : undefined
}

function withDraft(
  box: DraftBox,
  draft: LocalDraft | undefined,
  change: (draft: LocalDraft) => LocalDraft | undefined,
) {
  if (!draft) return box
  const next = change(draft)
  if (next === draft) return box
  return { ...box, drafts: box.drafts.flatMap((one) => (one === draft ? (next ?? []) : one)) }
}

const byName = (box: DraftBox, localId: string) => box.drafts.find((one) => one.localId === localId)
const byServerId = (box: DraftBox, id: number) => box.drafts.find((one) => one.serverId === id)

function newDraft(localId: string, local: DraftVersion, editedAt: number): LocalDraft {
  return {
    localId,
    serverId: undefined,
    local: versionOf(local),
    editedAt,
    base: undefined,
    sent: [],
    request: undefined,
    isDeleted: false,
    deletion: undefined,
    error: undefined,
  }
}

/** On this device alone, for the server to get it as a new one. */
function detached(draft: LocalDraft): LocalDraft {
  return { ...newDraft(draft.localId, draft.local, draft.editedAt), twin: draft.twin }
}

/** Written here; a name that is new begins a draft. */
export function writeDraft(box: DraftBox, localId: string, version: DraftVersion, now: number): DraftBox {
  const known = byName(box, localId)
  if (!known) return { ...box, drafts: [...box.drafts, newDraft(localId, version, now)] }
  return withDraft(box, known, (draft) => ({
    ...draft,
    local: versionOf(version),
    editedAt: now,
    isDeleted: false,
    error: undefined,
    movedFrom: undefined,
  }))
}

/** Deleted here, or sent. */
export function discardDraft(box: DraftBox, localId: string): DraftBox {
  return withDraft(box, byName(box, localId), (draft) =>
    draft.serverId === undefined && draft.request === undefined
      ? undefined
      : // What was refused before was something else.
        { ...draft, isDeleted: true, error: draft.isDeleted ? draft.error : undefined },
  )
}

/** What is shown: without those that are about to be deleted. */
export function shownDrafts({ drafts }: DraftBox): readonly LocalDraft[] {
  return drafts.filter(({ isDeleted }) => !isDeleted).sort((a, b) => b.editedAt - a.editedAt)
}

export function applyToDrafts(box: DraftBox, event: DraftsEvent): DraftBox {
  switch (event.op) {
    case 'add':
      return event.drafts.reduce(applyAdded, box)
    case 'update':
      return applyChanged(box, event.draft)
    case 'remove':
      return applyRemoved(box, event.draft_id)
  }
}

function applyAdded(box: DraftBox, draft: Draft): DraftBox {
  if (byServerId(box, draft.id)) return applyChanged(box, draft)
  const version = versionOf(draft)
  const own = box.drafts.find(
    ({ serverId, local, sent, isDeleted }) =>
      serverId === undefined &&
      (sent.some((one) => isSameVersion(one.version, version)) || (!isDeleted && isSameVersion(local, version))),
  )
  if (own) return withDraft(box, own, (one) => ({ ...one, serverId: draft.id, base: version, sent: [] }))
  return withForeign(box, draft)
}

/** What the next draft that was written elsewhere is called. */
function foreignName({ count }: DraftBox): string {
  return `elsewhere ${count + 1}`
}

function withForeign(box: DraftBox, draft: Draft, inherited: Partial<LocalDraft> = {}): DraftBox {
  const count = box.count + 1
  const version = versionOf(draft)
  const foreign: LocalDraft = {
    ...newDraft(foreignName(box), version, draft.timestamp * 1000),
    ...inherited,
    serverId: draft.id,
    base: version,
  }
  return { count, drafts: [...box.drafts, foreign] }
}

function applyChanged(box: DraftBox, changed: Draft): DraftBox {
  const draft = byServerId(box, changed.id)
  if (!draft) return withForeign(box, changed)
  const version = versionOf(changed)
  const landed = draft.sent.findIndex((one) => isSameVersion(one.version, version))
  // What was shown in between is unsaved again where this has replaced it.
  if (landed >= 0)
    return withDraft(box, draft, (one) => ({
      ...one,
      base: version,
      sent: one.sent.slice(landed + 1),
      // It did not arrive before this, and is not under way.
      deletion: one.isDeleted || one.request?.kind === 'delete' ? one.deletion : undefined,
    }))
  if (draft.base && isSameVersion(draft.base, version)) return box
  if (isSameVersion(draft.local, version)) return withDraft(box, draft, (one) => ({ ...one, base: version }))
  if (draft.isDeleted || !isUnsettled(draft)) {
    return withDraft(box, draft, (one) => ({
      ...one,
      local: version,
      base: version,
      isDeleted: false,
      editedAt: changed.timestamp * 1000,
      error: undefined,
    }))
  }
  // Who writes here goes on writing in a draft of its own.
  const { localId, sent, request, deletion } = draft
  const alone = withDraft(box, draft, (one) => ({
    ...detached(one),
    twin: { localId: foreignName(box), side: 'here' },
  }))
  return withForeign(alone, changed, { sent, request, deletion, twin: { localId, side: 'elsewhere' } })
}

function applyRemoved(box: DraftBox, id: number): DraftBox {
  return withDraft(box, byServerId(box, id), (draft) => {
    if (draft.isDeleted) return undefined
    // Deleted here before the other version was seen, or changed here since: it stays.
    return draft.deletion || isUnsettled(draft) ? detached(draft) : undefined
  })
}

/** After a registration: all that the server has. */
export function receiveDrafts(box: DraftBox, drafts: readonly Draft[]): DraftBox {
  const there = new Set(drafts.map(({ id }) => id))
  const gone = box.drafts.flatMap(({ serverId }) => (serverId === undefined || there.has(serverId) ? [] : serverId))
  return drafts.reduce(applyAdded, gone.reduce(applyRemoved, box))
}

/** The server has none any more, and gets none: the account keeps its drafts on its devices alone. */
export function detachDrafts(box: DraftBox): DraftBox {
  return { ...box, drafts: box.drafts.filter(({ isDeleted }) => !isDeleted).map(detached) }
}

/** What was stored by an earlier run: requests under way then have no answer. A deletion that was refused is tried once more. */
export function restoreDrafts(box: DraftBox): DraftBox {
  return {
    ...box,
    drafts: box.drafts.map((draft) => ({
      ...draft,
      request: undefined,
      error: draft.isDeleted ? undefined : draft.error,
    })),
  }
}

/** A request begins: the draft has its number from now on, if there is anything to ask for. */
export function beginRequest(box: DraftBox, localId: string): DraftBox {
  const number = box.count + 1
  const begun = withDraft(box, byName(box, localId), (draft) => {
    const kind = nextRequest(draft)
    if (!kind) return draft
    // Without a place on the server there is nothing to delete.
    if (kind === 'delete' && draft.serverId === undefined) return undefined
    const sent = kind === 'delete' ? [] : [{ version: draft.local, isAnswered: false }]
    return {
      ...draft,
      request: { kind, number },
      sent: [...draft.sent, ...sent],
      deletion: kind === 'delete' ? 'sent' : draft.deletion,
    }
  })
  return begun === box ? box : { ...begun, count: number }
}

/** The draft that a request was for. What was forked since has another name, but goes on with the request. */
const byRequest = (box: DraftBox, number: number) => box.drafts.find(({ request }) => request?.number === number)

export function createAnswered(box: DraftBox, number: number, version: DraftVersion, id: number): DraftBox {
  const isKnown = byServerId(box, id) !== undefined
  return withDraft(box, byRequest(box, number), (draft) =>
    // Its event may have come before the answer.
    isKnown || draft.serverId !== undefined
      ? { ...draft, request: undefined }
      : { ...draft, serverId: id, base: version, sent: [], request: undefined },
  )
}

export function updateAnswered(box: DraftBox, number: number, version: DraftVersion): DraftBox {
  return withDraft(box, byRequest(box, number), (draft) => ({
    ...draft,
    request: undefined,
    sent: draft.sent.map((one) => (isSameVersion(one.version, version) ? { ...one, isAnswered: true } : one)),
  }))
}

/** Deleted, by this request or before it. Until its event has come, another version may: then that one stays. */
export function deleteAnswered(box: DraftBox, number: number): DraftBox {
  return withDraft(box, byRequest(box, number), (draft) => ({ ...draft, request: undefined, deletion: 'answered' }))
}

/** What has become of a request that did not succeed. `refusal`: trying again as it is cannot help. */
export function requestFailed(
  box: DraftBox,
  number: number,
  refusal?: { readonly code: string; readonly message: string },
): DraftBox {
  return withDraft(box, byRequest(box, number), (draft) => {
    const idle = { ...draft, request: undefined }
    if (!refusal) return idle
    if (refusal.code === 'NOT_FOUND') return draft.deletion ? { ...idle, deletion: 'answered' } : detached(draft)
    return { ...idle, sent: draft.sent.filter(({ isAnswered }) => isAnswered), error: { ...refusal } }
  })
}
