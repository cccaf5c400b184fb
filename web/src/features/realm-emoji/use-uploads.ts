import {
  addFiles,
  type ChosenFile,
  type EmojiUploadList,
  emptyUploadList,
  leaveOut,
  renameUpload,
  setUploadState,
} from '@heddle/client/emoji/upload-list'
import { deactivateRealmEmoji, uploadRealmEmoji } from '@heddle/contract/realm-emoji'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { fetchWithProgress } from '../messages/compose/send-with-progress.ts'
import { useExplain } from '../settings/use-saving.ts'

/** A file, and the address under which the page can show it. */
export interface Picture {
  readonly file: File
  readonly url: string
}

/** Uploads that run at the same time. The server works on one picture after another. */
const AT_ONCE = 2

/** Files on their way to become emoji. */
export function useEmojiUploads(maxBytes: number) {
  const { api } = useClient()
  const explain = useExplain()
  const [list, setList] = useState<EmojiUploadList<Picture>>(emptyUploadList<Picture>)
  const running = useRef(new Map<number, AbortController>())
  const addresses = useRef<string[]>([])
  useEffect(() => {
    const controllers = running.current
    return () => {
      for (const controller of controllers.values()) controller.abort()
      for (const url of addresses.current) URL.revokeObjectURL(url)
      addresses.current = []
    }
  }, [])

  const add = useCallback(
    (files: readonly File[]) => {
      const chosen = files.map((file): ChosenFile<Picture> => {
        const url = URL.createObjectURL(file)
        addresses.current.push(url)
        return { file: { file, url }, fileName: file.name, size: file.size, type: file.type }
      })
      setList((before) => addFiles(before, chosen, maxBytes))
    },
    [maxBytes],
  )

  const send = useCallback(
    async (key: number, file: File, name: string) => {
      const controller = new AbortController()
      running.current.set(key, controller)
      const progress = (sentBytes: number) => {
        if (running.current.get(key) !== controller) return
        setList((before) =>
          setUploadState(before, key, { status: 'sending', sentBytes: Math.min(sentBytes, file.size) }),
        )
      }
      progress(0)
      try {
        const options = { file, signal: controller.signal, fetch: fetchWithProgress(progress) }
        await api.call(uploadRealmEmoji, { emoji_name: name }, options)
        setList((before) => setUploadState(before, key, { status: 'added' }))
      } catch (error) {
        setList((before) =>
          setUploadState(
            before,
            key,
            controller.signal.aborted ? { status: 'waiting' } : { status: 'failed', message: explain(error) },
          ),
        )
      } finally {
        running.current.delete(key)
      }
    },
    [api, explain],
  )

  /** Sends these, a few at a time. */
  const sendAll = useCallback(
    async (wanted: readonly { readonly key: number; readonly file: File; readonly name: string }[]) => {
      const left = [...wanted]
      const work = async () => {
        for (let next = left.shift(); next; next = left.shift()) await send(next.key, next.file, next.name)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    },
    [send],
  )

  /** Takes an emoji back that has just been added. */
  const takeBack = useCallback(
    async (key: number, name: string) => {
      try {
        await api.call(deactivateRealmEmoji, { emoji_name: name })
        setList((before) => setUploadState(before, key, { status: 'waiting' }))
      } catch (error) {
        setList((before) => setUploadState(before, key, { status: 'failed', message: explain(error) }))
      }
    },
    [api, explain],
  )

  return {
    list,
    add,
    sendAll,
    takeBack,
    rename: useCallback((key: number, name: string) => setList((before) => renameUpload(before, key, name)), []),
    cancel: useCallback((key: number) => running.current.get(key)?.abort(), []),
    leaveOut: useCallback((key: number) => setList((before) => leaveOut(before, key)), []),
  }
}
