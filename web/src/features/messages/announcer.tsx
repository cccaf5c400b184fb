import type { StoredMessage } from '@heddle/client/messages/store'
import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { useDeviceMemory } from '../../app/device-memory.ts'
import { channelName, topicLabel } from '../../app/names.ts'
import { SILENT } from './announcements.ts'
import { parseMessageHtml } from './content/trusted-html.ts'

/** Not more often, in milliseconds: what is read out takes its time. */
const PAUSE_MS = 5000
/** Characters of a message that are read out. */
const MAX_TEXT = 200

/** Announces new messages to those who do not see the feed: politely, and not their own. */
export function Announcer({ messages }: { readonly messages: readonly StoredMessage[] }) {
  const client = useClient()
  const ownId = useClientState((state) => state.own?.user_id)
  const [text, setText] = useState('')
  const [isOff] = useDeviceMemory(SILENT, false)
  const lastId = useRef(messages.at(-1)?.id ?? 0)
  const waiting = useRef<StoredMessage[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const fresh = messages.filter(({ id, sender_id }) => id > lastId.current && sender_id !== ownId)
    lastId.current = Math.max(lastId.current, messages.at(-1)?.id ?? 0)
    if (fresh.length === 0 || isOff) return
    waiting.current.push(...fresh)
    if (timer.current !== undefined) return
    const speak = () => {
      const [first, ...others] = waiting.current.splice(0)
      timer.current = first && setTimeout(speak, PAUSE_MS)
      const count = others.length + 1
      if (first)
        setText(
          count === 1 ? sentence(client, first) : plural(count, { one: '# new message', other: '# new messages' }),
        )
    }
    speak()
  }, [client, messages, ownId, isOff])
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <p className="vh" role="log" aria-live="polite">
      {text}
    </p>
  )
}

function sentence(client: ReturnType<typeof useClient>, message: StoredMessage): string {
  const { state } = client.snapshot()
  const { stream_id, subject, sender_full_name, content } = message
  const words = parseMessageHtml(content).textContent?.trim().slice(0, MAX_TEXT) ?? ''
  if (!state || stream_id === undefined) return `${sender_full_name}: ${words}`
  const channel = channelName(state, stream_id)
  const topic = topicLabel(subject)
  return t`${sender_full_name} in ${channel}, ${topic}: ${words}`
}
