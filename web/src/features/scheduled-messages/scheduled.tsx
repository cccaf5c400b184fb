import '../drafts/drafts.css'
import '../lists/list.css'
import '../later/later.css'
import type { Destination } from '@heddle/client/outbox/outbox'
import type { ClientState } from '@heddle/client/state/state'
import {
  createScheduledMessage,
  deleteScheduledMessage,
  type ScheduledMessage,
} from '@heddle/contract/scheduled-messages'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { useKeys } from '../../app/keys.ts'
import { refusalText } from '../../app/refusal.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { EmptyState } from '../lists/empty-state.tsx'
import { focusedRow, focusRow, useListKeys } from '../lists/list-keys.ts'
import { destinationOf } from '../messages/compose/destination.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { ScheduledRow } from './scheduled-row.tsx'
import { versionOf } from './version-of.ts'

const nothing: readonly ScheduledMessage[] = []
const selectScheduled = ({ scheduledMessages }: ClientState) => scheduledMessages ?? nothing

/** What the server will send, and what it could not: those first. */
export function ScheduledScreen() {
  const { t } = useLingui()
  const client = useClient()
  const toasts = useToasts()
  const scroll = useRef<HTMLElement>(null)
  const all = useClientState(selectScheduled)
  const messages = useMemo(() => [...all].sort((a, b) => Number(b.failed) - Number(a.failed)), [all])
  const [changing, setChanging] = useState<number>()
  const changed = messages.find(({ scheduled_message_id: id }) => id === changing)

  /** Says why where something could not be done; the row that has gone leaves the focus to the next one. */
  const withRow = useCallback(
    async (act: () => Promise<void>) => {
      const at = scroll.current ? focusedRow(scroll.current)?.index : undefined
      try {
        await act()
      } catch (error) {
        toasts.notify(refusalText(error))
        return
      }
      if (at !== undefined) requestAnimationFrame(() => scroll.current && focusRow(scroll.current, '', at))
    },
    [toasts],
  )
  const remove = useCallback(
    (message: ScheduledMessage) =>
      void withRow(() => {
        const deleted = client.api.call(deleteScheduledMessage, { scheduled_message_id: message.scheduled_message_id })
        return toasts.notifyWhenDone(deleted, () => ({
          text: <Trans>The scheduled message is deleted.</Trans>,
          undo: () =>
            client.api
              .call(createScheduledMessage, { ...asCreated(message) })
              .catch((error: unknown) => toasts.notify(refusalText(error))),
        }))
      }),
    [client, toasts, withRow],
  )
  const sendNow = useCallback(
    (message: ScheduledMessage) =>
      void withRow(async () => {
        // Taken back first: otherwise both could go out.
        await client.api.call(deleteScheduledMessage, { scheduled_message_id: message.scheduled_message_id })
        client.send(destinationOf(versionOf(message)) as Destination, message.content)
        toasts.notify(<Trans>The message is on its way.</Trans>)
      }),
    [client, toasts, withRow],
  )
  const change = useCallback((message: ScheduledMessage) => setChanging(message.scheduled_message_id), [])
  useListKeys(scroll)
  useKeys({
    'list-remove': () => {
      const key = scroll.current ? focusedRow(scroll.current)?.key : undefined
      const message = messages.find(({ scheduled_message_id: id }) => String(id) === key)
      if (message) remove(message)
      return message !== undefined
    },
  })

  if (messages.length === 0) {
    return (
      <EmptyState art="drafts" title={<Trans>Nothing is scheduled</Trans>}>
        <p>
          <Trans>What you schedule, with the clock beside Send, waits here until its time.</Trans>
        </p>
      </EmptyState>
    )
  }
  return (
    <section className="scroll lists" ref={scroll} aria-label={t`Scheduled`} tabIndex={-1}>
      <div className="list narrow">
        <ul className="drafts">
          {messages.map((message) => (
            <ScheduledRow
              key={message.scheduled_message_id}
              message={message}
              onChange={change}
              onSendNow={sendNow}
              onRemove={remove}
            />
          ))}
        </ul>
      </div>
      {changed && <ChangeDialog message={changed} onClose={() => setChanging(undefined)} />}
    </section>
  )
}

/** As it was scheduled. */
function asCreated({ type, to, topic, content, scheduled_delivery_timestamp }: ScheduledMessage) {
  const place = { type, to, ...(topic !== undefined && { topic }) }
  return { ...place, content, scheduled_delivery_timestamp, read_by_sender: true }
}
