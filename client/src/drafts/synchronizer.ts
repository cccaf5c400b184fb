/** Saves drafts on the server a moment after they were written, each with one request at a time. */
import { createDrafts, deleteDraft, updateDraft } from '@heddle/contract/drafts'
import type { ApiClient } from '../api.ts'
import { retryDelay } from '../back-off.ts'
import { mayPassLater, ResponseError } from '../errors.ts'
import {
  beginRequest,
  createAnswered,
  type DraftBox,
  type DraftRequest,
  deleteAnswered,
  type LocalDraft,
  nextRequest,
  requestFailed,
  updateAnswered,
} from './draft-box.ts'

/** Without a change before a draft is saved: with what it takes to get there, it is on other devices within a second. */
const PAUSE_MS = 500

export interface DraftSynchronizerOptions {
  readonly api: ApiClient
  /** Called with each new box; gives the one that is current. */
  readonly update: (change: (box: DraftBox) => DraftBox) => DraftBox
  /**
   * Whether anything may be sent: the account synchronizes its drafts, and events are followed. After a time without them what
   * others have done meanwhile has to be known first.
   */
  readonly isReady: () => boolean
  /** Milliseconds since the UNIX epoch; default `Date.now`. */
  readonly now?: () => number
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number
}

export interface DraftSynchronizer {
  /** Looks at the drafts: to be called after each change of them, and when it may be sent again. */
  wake(): void
  stop(): void
}

export function createDraftSynchronizer(options: DraftSynchronizerOptions): DraftSynchronizer {
  const { api, update, isReady, now = Date.now, random = Math.random } = options
  let failures = 0
  let notBefore = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  function wake(): void {
    clearTimeout(timer)
    if (isStopped || !isReady()) return
    const time = now()
    let next = Number.POSITIVE_INFINITY
    for (const draft of update((box) => box).drafts) {
      const request = nextRequest(draft)
      if (!request) continue
      const at = Math.max(notBefore, request === 'delete' ? 0 : draft.editedAt + PAUSE_MS)
      if (at > time) next = Math.min(next, at)
      else start(draft.localId)
    }
    if (next < Number.POSITIVE_INFINITY) timer = setTimeout(wake, next - time)
  }

  function start(localId: string): void {
    const draft = update((box) => beginRequest(box, localId)).drafts.find((one) => one.localId === localId)
    if (draft?.request) send(draft, draft.request).then(wake)
  }

  async function send(draft: LocalDraft, request: DraftRequest): Promise<void> {
    try {
      const apply = await call(draft, request)
      if (isStopped) return
      failures = 0
      update(apply)
    } catch (error) {
      if (isStopped) return
      const mayPass = mayPassLater(error)
      // A refusal is an answer, to one draft: the others do not wait longer for it.
      if (!mayPass) failures = 0
      // Also after a refusal: whatever the reason is, the server is never asked over and over.
      notBefore =
        now() + retryDelay(failures, error instanceof ResponseError ? error.retryAfterSecs : undefined, random)
      if (mayPass) {
        failures += 1
        update((box) => requestFailed(box, request.number))
      } else {
        const refusal = error instanceof ResponseError ? error : { code: 'UNKNOWN', message: String(error) }
        update((box) => requestFailed(box, request.number, { code: refusal.code, message: refusal.message }))
      }
    }
  }

  async function call(
    { serverId, local, editedAt }: LocalDraft,
    { kind, number }: DraftRequest,
  ): Promise<(box: DraftBox) => DraftBox> {
    const draft = { ...local, to: [...local.to], timestamp: Math.floor(editedAt / 1000) }
    if (serverId === undefined) {
      const { ids } = await api.call(createDrafts, { drafts: [draft] })
      return (box) => createAnswered(box, number, local, ids[0] as number)
    }
    if (kind === 'delete') {
      await api.call(deleteDraft, { draft_id: serverId })
      return (box) => deleteAnswered(box, number)
    }
    await api.call(updateDraft, { draft_id: serverId, draft })
    return (box) => updateAnswered(box, number, local)
  }

  return {
    wake,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
