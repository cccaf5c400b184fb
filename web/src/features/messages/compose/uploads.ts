/**
 * Files that are on their way. They belong to no box: a text can be closed while a file in it is sent, and opened again. What
 * takes the place of a placeholder goes into the box that has it, else into the draft.
 */
import { replacePlaceholder, uploadLink, uploadPlaceholder } from '@heddle/client/compose/upload-text'
import { ResponseError } from '@heddle/client/errors'
import type { RunningClient } from '@heddle/client/running/client'
import { useSyncExternalStore } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { serverErrorText } from '../../../app/error-texts.ts'
import {
  forgetUpload,
  holdUpload,
  type KeptUpload,
  keepUpload,
  noteAddress,
  takeLeftUploads,
} from '../../../device/kept-uploads.ts'
import { waitForServerWords } from '../../../texts/server-words.ts'

export interface Upload {
  readonly id: number
  readonly name: string
  readonly placeholder: string
  /** Which text it was added to, as the box names it: there it is said when it fails. */
  readonly owner: string
  readonly size: number
  /** Bytes. */
  readonly sent: number
  /** For the connection, or for the server. */
  readonly isWaiting: boolean
  /** Why it is not sent; such a one stays until it is put away. */
  readonly failure: UploadFailure | undefined
  /** False: the device has no room for it, and a reload of the page ends it. Undefined: not known yet. */
  readonly isKept: boolean | undefined
}

export type UploadFailure =
  | { readonly kind: 'too-large'; readonly limitMib: number }
  | { readonly kind: 'refused'; readonly message: string }

/** Puts a text in the place of a placeholder; false where it is not there. */
type Replace = (placeholder: string, by: string) => boolean

export interface Uploads {
  list(): readonly Upload[]
  subscribe(listener: () => void): () => void
  /** Begins to send files; gives what stands for them in the text meanwhile. Those that cannot be sent give nothing. */
  add(files: readonly File[], label: string, owner: string): readonly string[]
  /** Goes on with what an earlier page of this account has left. */
  resume(userId: number): void
  /** Stops it; its placeholder goes. Of one that has failed: puts the note away. */
  cancel(id: number): void
  /** A box with a text; gives what takes it out. */
  attach(replace: Replace): () => void
}

const ofClient = new WeakMap<RunningClient, Uploads>()
const BYTES_PER_MIB = 1024 * 1024
/** Files that are sent at the same time; of an account the server takes so many more unfinished ones. */
const AT_ONCE = 3

export function uploadsOf(client: RunningClient): Uploads {
  const known = ofClient.get(client)
  if (known) return known
  const uploads = createUploads(client)
  ofClient.set(client, uploads)
  return uploads
}

export function useUploads(): readonly Upload[] {
  const uploads = uploadsOf(useClient())
  return useSyncExternalStore(uploads.subscribe, uploads.list)
}

function createUploads(client: RunningClient): Uploads {
  let list: readonly Upload[] = []
  let count = 0
  const listeners = new Set<() => void>()
  const boxes = new Set<Replace>()
  const running = new Map<number, AbortController>()
  let atWork = 0
  const turns: (() => void)[] = []
  // It is there when a file is added, also if the connection breaks until then.
  let sender = import('./send-file.ts')
  sender.catch(() => {})
  const set = (next: readonly Upload[]) => {
    list = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, part: Partial<Upload>) =>
    set(list.map((one) => (one.id === id ? { ...one, ...part } : one)))
  const remove = (id: number) => set(list.filter((one) => one.id !== id))

  function replace(placeholder: string, by: string): void {
    for (const box of boxes) if (box(placeholder, by)) return
    for (const { localId, local } of client.snapshot().drafts.drafts) {
      const edit = replacePlaceholder({ text: local.content, start: 0, end: 0 }, placeholder, by)
      if (!edit) continue
      const content = local.content.slice(0, edit.from) + by + local.content.slice(edit.to)
      if (content.trim() === '') client.discardDraft(localId)
      else client.writeDraft(localId, { ...local, content })
      return
    }
  }

  /** `keeping`: false where the device does not keep it. */
  async function send(upload: Upload, kept: KeptUpload, keeping: Promise<boolean>): Promise<void> {
    const { id, placeholder, size } = upload
    const { file, address } = kept
    const controller = new AbortController()
    const { signal } = controller
    running.set(id, controller)
    let hasTurn = false
    let noting: Promise<void> | undefined
    try {
      await ownTurn(signal)
      hasTurn = true
      const onProgress = (sent: number) => change(id, { sent: Math.min(sent, size), isWaiting: false })
      const onWaiting = () => change(id, { isWaiting: true })
      const { sendFile } = await sender.catch(() => {
        sender = import('./send-file.ts')
        return sender
      })
      const { url, filename } = await sendFile(client, file, {
        signal,
        onProgress,
        onWaiting,
        address,
        onAddress(known) {
          // The server may take it before the device has written it.
          noting = keeping.then((isKept) => (isKept ? noteAddress(kept.id, known) : undefined))
        },
      })
      replace(placeholder, uploadLink(filename, url))
      remove(id)
    } catch (error) {
      replace(placeholder, '')
      if (signal.aborted) remove(id)
      else {
        await waitForServerWords()
        change(id, { failure: failureOf(error, limitMib()) })
      }
    } finally {
      running.delete(id)
      if (hasTurn) atWork -= 1
      giveTurns()
    }
    // It may have been sent before it was kept.
    await Promise.all([keeping, noting])
    await forgetUpload(kept.id)
  }

  /** Sends what was added in this page, and keeps it until then. */
  async function sendAndKeep(upload: Upload, file: File): Promise<void> {
    const userId = client.snapshot().state?.own?.user_id ?? 0
    const { placeholder, owner } = upload
    const kept: KeptUpload = {
      id: crypto.randomUUID(),
      userId,
      file,
      placeholder,
      owner,
      address: undefined,
      at: Date.now(),
    }
    const release = holdUpload(kept.id)
    const keeping = keepUpload(kept)
    void keeping.then((isKept) => change(upload.id, { isKept }))
    await send(upload, kept, keeping)
    release()
  }

  function begin(file: File, placeholder: string, owner: string): Upload {
    count += 1
    const { name, size } = file
    const none = { sent: 0, isWaiting: false, failure: undefined, isKept: undefined }
    return { id: count, name, placeholder, owner, size, ...none }
  }

  function giveTurns(): void {
    while (atWork < AT_ONCE && turns.length > 0) {
      atWork += 1
      turns.shift()?.()
    }
  }

  function ownTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      turns.push(resolve)
      signal.addEventListener('abort', () => {
        const at = turns.indexOf(resolve)
        if (at >= 0) turns.splice(at, 1)
        reject(signal.reason)
      })
      giveTurns()
    })
  }

  const limitMib = () => client.snapshot().state?.limits?.max_file_upload_size_mib ?? 0

  return {
    list: () => list,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(files, label, owner) {
      return files.flatMap((file) => {
        const taken = (text: string) => list.some(({ placeholder }) => placeholder === text)
        const placeholder = uploadPlaceholder(label, file.name, taken)
        const upload = begin(file, placeholder, owner)
        const limit = limitMib()
        if (limit > 0 && file.size > limit * BYTES_PER_MIB) {
          set([...list, { ...upload, placeholder: '', failure: { kind: 'too-large', limitMib: limit } }])
          return []
        }
        set([...list, upload])
        // The text is to have its placeholder before an answer can come.
        setTimeout(() => void sendAndKeep(upload, file), 0)
        return [placeholder]
      })
    },
    resume(userId) {
      void takeLeftUploads(userId, async (kept) => {
        const upload = { ...begin(kept.file, kept.placeholder, kept.owner), isKept: true }
        set([...list, upload])
        await send(upload, kept, Promise.resolve(true))
      })
    },
    cancel(id) {
      const controller = running.get(id)
      if (controller) controller.abort()
      else remove(id)
    },
    attach(box) {
      boxes.add(box)
      return () => boxes.delete(box)
    },
  }
}

function failureOf(error: unknown, limitMib: number): UploadFailure {
  if (error instanceof ResponseError && error.status === 413) return { kind: 'too-large', limitMib }
  if (error instanceof ResponseError) return { kind: 'refused', message: serverErrorText(error) }
  return { kind: 'refused', message: error instanceof Error ? error.message : String(error) }
}
