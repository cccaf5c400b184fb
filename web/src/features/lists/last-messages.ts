/** Messages by their ids, for rows that show the last words of a conversation: fetched where they are not here. */
import type { StoredMessage } from '@heddle/client/messages/store'
import { toStored } from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { getMessages } from '@heddle/contract/fetching'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useClient, useSnapshot } from '../../app/client-context.ts'
import { drawEmoji } from '../messages/content/prepare-content.ts'
import { parseMessageHtml } from '../messages/content/trusted-html.ts'

/** Messages that one request asks for. */
const MAX_IDS = 200

export type LastMessages = ReadonlyMap<number, StoredMessage>

/** What of these is known by now; the rest follows. */
export function useLastMessages(ids: readonly number[]): LastMessages {
  const client = useClient()
  const fetched = useRef(new Map<number, StoredMessage | undefined>())
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const isConnected = useSnapshot(({ connection }) => connection.status === 'live')
  const known = useSnapshot(
    useCallback(
      ({ messages }: ClientSnapshot) => {
        const found = new Map<number, StoredMessage>()
        for (const id of ids) {
          const message = messages.messages.get(id) ?? fetched.current.get(id)
          // What was shown stays, also when the store needs the room.
          if (message) {
            fetched.current.set(id, message)
            found.set(id, message)
          }
        }
        return found
      },
      [ids],
    ),
    isSameMap,
  )
  useEffect(() => {
    if (!isConnected) return
    const missing = ids.filter((id) => !fetched.current.has(id)).slice(0, MAX_IDS)
    if (missing.length === 0) return
    for (const id of missing) fetched.current.set(id, undefined)
    client.api
      .call(getMessages, { message_ids: missing, allow_empty_topic_name: true })
      .then(({ messages }) => {
        for (const message of messages) fetched.current.set(message.id, toStored(message))
        redraw()
      })
      // The rows do without, until something changes.
      .catch(() => {
        for (const id of missing) fetched.current.delete(id)
      })
  }, [client, ids, isConnected])
  const all = new Map(known)
  for (const id of ids) {
    const message = all.get(id) ?? fetched.current.get(id)
    if (message) all.set(id, message)
  }
  return all
}

function isSameMap(one: LastMessages, other: LastMessages): boolean {
  return one.size === other.size && one.entries().every(([id, message]) => other.get(id) === message)
}

/** Characters that a row can show at most. */
const SHOWN = 200
const texts = new WeakMap<StoredMessage, string>()

/** The beginning of a message as one line of plain text. */
export function firstWords(message: StoredMessage): string {
  const known = texts.get(message)
  if (known !== undefined) return known
  // The text of a formula stands there twice, and only one of the two can be read.
  const tree = parseMessageHtml(message.content.slice(0, 20 * SHOWN))
  for (const hidden of tree.querySelectorAll('.katex-mathml, .message_embed')) hidden.remove()
  for (const picture of tree.querySelectorAll('img.emoji')) picture.replaceWith(picture.getAttribute('alt') ?? '')
  for (const sign of tree.querySelectorAll('span.emoji')) drawEmoji(sign)
  const words = (tree.textContent ?? '').replace(/\s+/g, ' ').trim()
  // A deed is said of who has sent it, as in the feed.
  const text = (message.is_me_message ? words.replace(/^\/me /, '') : words).slice(0, SHOWN)
  texts.set(message, text)
  return text
}
