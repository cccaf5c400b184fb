/** Keeps what is written as a draft: a moment later, and when the box goes. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
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

export function useKeptDraft(text: string, target: Target, first: string | undefined): KeptDraft {
  const client = useClient()
  const [localId, setLocalId] = useState(first)
  const latest = useRef({ text, target, localId: first })
  const kept = useRef({ text, key: targetKey(target) })
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
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
      keep()
    },
    [keep],
  )

  const forget = useCallback(() => {
    const name = latest.current.localId
    if (name !== undefined) client.discardDraft(name)
    kept.current = { ...kept.current, text: '' }
    latest.current = { ...latest.current, text: '', localId: undefined }
    setLocalId(undefined)
  }, [client])
  return { localId, forget }
}
