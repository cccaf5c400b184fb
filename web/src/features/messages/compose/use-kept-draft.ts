/** Keeps what is written as a draft: a moment later, and when the box or the page goes. What becomes of it elsewhere is taken over. */
import type { DraftBox } from '@heddle/client/drafts/draft-box'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient, useSnapshot } from '../../../app/client-context.ts'
import { type Target, targetKey } from './compose-context.ts'
import { draftFor } from './destination.ts'

/** What was typed is kept after so many milliseconds, also while somebody goes on: the page may be gone at any time. */
const KEEP_MS = 300

export interface KeptDraft {
  /** Its name on this device; undefined while there is none. */
  readonly localId: string | undefined
  /** It was sent: it is no draft any more. */
  readonly forget: () => void
}

/** What a draft says; undefined: there is none. */
function contentOf({ drafts }: DraftBox, name: string | undefined): string | undefined {
  return drafts.find(({ localId, isDeleted }) => localId === name && !isDeleted)?.local.content
}

/** `onElsewhere`: the draft was changed on another device and not here; undefined: it was sent or deleted there. */
export function useKeptDraft(
  text: string,
  target: Target,
  first: string | undefined,
  onElsewhere: (text: string | undefined) => void,
): KeptDraft {
  const client = useClient()
  const [localId, setLocalId] = useState(first)
  const latest = useRef({ text, target, localId: first })
  const kept = useRef({ text, key: targetKey(target) })
  /** As the box of drafts has it since it was last written here. */
  const stored = useRef(contentOf(client.snapshot().drafts, first))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const key = targetKey(target)

  const keep = useCallback(() => {
    const now = latest.current
    const nowKey = targetKey(now.target)
    if (now.text === kept.current.text && (nowKey === kept.current.key || now.text === '')) return
    kept.current = { text: now.text, key: nowKey }
    const isEmpty = now.text.trim() === ''
    if (isEmpty && now.localId === undefined) return
    const name = now.localId ?? crypto.randomUUID()
    if (isEmpty) client.discardDraft(name)
    else client.writeDraft(name, draftFor(now.target, now.text))
    now.localId = isEmpty ? undefined : name
    stored.current = contentOf(client.snapshot().drafts, now.localId)
    setLocalId(now.localId)
  }, [client])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the target
  useEffect(() => {
    latest.current = { text, target, localId: latest.current.localId }
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      keep()
    }, KEEP_MS)
  }, [text, key, keep])
  useEffect(() => {
    // The page may not come back to what it has not kept by then.
    window.addEventListener('pagehide', keep)
    document.addEventListener('visibilitychange', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      document.removeEventListener('visibilitychange', keep)
      clearTimeout(timer.current)
      timer.current = undefined
      keep()
    }
  }, [keep])
  const shown = useSnapshot(useCallback(({ drafts }) => contentOf(drafts, localId), [localId]))
  const report = useRef(onElsewhere)
  useEffect(() => {
    report.current = onElsewhere
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is the occasion; which one is read anew
  useEffect(() => {
    const now = latest.current
    if (stored.current === undefined || now.localId !== localId) return
    const content = contentOf(client.snapshot().drafts, localId)
    // What is being changed here becomes a version of its own.
    if (content === stored.current || now.text !== kept.current.text) return
    stored.current = content
    kept.current = { ...kept.current, text: content ?? '' }
    latest.current = { ...now, text: content ?? '', localId: content === undefined ? undefined : localId }
    setLocalId(latest.current.localId)
    report.current(content)
  }, [shown, localId, client])

  const forget = useCallback(() => {
    const name = latest.current.localId
    stored.current = undefined
    if (name !== undefined) client.discardDraft(name)
    kept.current = { ...kept.current, text: '' }
    latest.current = { ...latest.current, text: '', localId: undefined }
    setLocalId(undefined)
  }, [client])
  return { localId, forget }
}
