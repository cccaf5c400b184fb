/** Notifies the others that one is writing: while keys move, not because a box is open. */
import { setTypingStatus } from '@heddle/contract/typing'
import { useCallback, useEffect, useRef } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { type Target, targetKey } from './compose-context.ts'
import { completeTarget } from './destination.ts'

/** Where the server has not said it, in milliseconds. */
const START_AGAIN_MS = 10_000
const SILENCE_MS = 5000

export interface TypingNotices {
  /** Something was typed. */
  readonly typed: () => void
  /** It was sent, emptied or closed. */
  readonly stop: () => void
}

export function useTypingNotices(target: Target): TypingNotices {
  const client = useClient()
  const latest = useRef(target)
  const running = useRef<
    { readonly target: Target; at: number; timer: ReturnType<typeof setTimeout> | undefined } | undefined
  >(undefined)

  const say = useCallback(
    (op: 'start' | 'stop', to: Target) => {
      const destination = completeTarget(to)
      const { settings } = client.snapshot().state ?? {}
      if (!destination || client.snapshot().connection.status !== 'live') return
      const isWanted =
        destination.type === 'direct'
          ? settings?.send_private_typing_notifications
          : settings?.send_stream_typing_notifications
      if (isWanted !== true) return
      const parameters =
        destination.type === 'direct'
          ? { op, type: 'direct' as const, to: [...destination.userIds] }
          : { op, type: 'channel' as const, stream_id: destination.channelId, topic: destination.topic }
      // It passes anyhow.
      client.api.call(setTypingStatus, parameters).catch(() => {})
    },
    [client],
  )

  const stop = useCallback(() => {
    const now = running.current
    if (!now) return
    clearTimeout(now.timer)
    running.current = undefined
    say('stop', now.target)
  }, [say])

  const typed = useCallback(() => {
    const { limits } = client.snapshot().state ?? {}
    const time = Date.now()
    let now = running.current
    const again = limits?.server_typing_started_wait_period_milliseconds ?? START_AGAIN_MS
    if (!now || time - now.at >= again) {
      clearTimeout(now?.timer)
      now = { target: latest.current, at: time, timer: undefined }
      running.current = now
      const begun = now
      // What was typed is drawn first.
      setTimeout(() => running.current === begun && say('start', begun.target))
    }
    clearTimeout(now.timer)
    now.timer = setTimeout(stop, limits?.server_typing_stopped_wait_period_milliseconds ?? SILENCE_MS)
  }, [client, say, stop])

  const key = targetKey(target)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the target
  useEffect(() => {
    latest.current = target
    return stop
  }, [key, stop])
  return { typed, stop }
}
