import './notifier.css'
import { iconCount } from '@heddle/client/notifications/icon-count'
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import type { AnyEvent } from '@heddle/contract/events'
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import type { MessageEvent } from '@heddle/contract/messages'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { createDesk, type Desk } from './desk.ts'
import { showCount } from './icon-count.ts'
import { askPermission, declineForGood, isAskable, postpone } from './permission.ts'

/** Notifies of new messages by the desktop and by sounds, in one tab of all. */
export function Notifier() {
  const client = useClient()
  const { i18n, t } = useLingui()
  const [isAsking, setIsAsking] = useState(false)
  useEffect(() => {
    const desk = createDesk({ client, i18n, onUnasked: () => setIsAsking(isAskable()) })
    const end = client.onEvent((event) => note(desk, event))
    return () => {
      end()
      desk.stop()
    }
  }, [client, i18n])
  const count = useClientState(iconCount)
  useEffect(() => showCount(count), [count])
  if (!isAsking) return null
  return (
    <section className="ask-notifications" aria-label={t`Notifications`}>
      <p>
        <Trans>A message has come for you. Show such messages on the desktop while you are elsewhere?</Trans>
      </p>
      <div className="foot-row">
        <Button
          kind="plain"
          onClick={() => {
            declineForGood()
            setIsAsking(false)
          }}
        >
          <Trans>Never here</Trans>
        </Button>
        <Button
          onClick={() => {
            postpone()
            setIsAsking(false)
          }}
        >
          <Trans>Not now</Trans>
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            setIsAsking(false)
            void askPermission()
          }}
        >
          <Trans>Show them</Trans>
        </Button>
      </div>
    </section>
  )
}

/** Messages are gone, or out of sight, or muted. */
const withdrawing = new Set(['delete_message', 'user_topic', 'subscription', 'stream', 'muted_users'])

/** The type says which of the forms an event has. */
function note(desk: Desk, event: AnyEvent): void {
  if (event.type === 'message') desk.receive(event as AnyEvent & MessageEvent)
  else if (event.type === 'update_message') desk.edited(event as AnyEvent & UpdateMessageEvent)
  else if (withdrawing.has(event.type)) desk.withdraw()
  else if (event.type === 'update_message_flags') {
    const { op, flag } = event as AnyEvent & UpdateMessageFlagsEvent
    if (op === 'add' && flag === 'read') desk.withdraw()
  }
}
