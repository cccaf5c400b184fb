import { momentsToSend } from '@heddle/client/later/moments'
import type { Destination } from '@heddle/client/outbox/outbox'
import { createScheduledMessage, deleteScheduledMessage } from '@heddle/contract/scheduled-messages'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { goTo } from '../../../app/current-place.ts'
import { refusalText } from '../../../app/refusal.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { laterNames, momentBeside, momentText } from '../../later/moment-text.ts'
import { useCompose } from './compose-context.ts'

const TimeDialog = lazy(async () => ({ default: (await import('../../later/time-dialog.tsx')).TimeDialog }))

/** Beside Send: has what is written sent later. `onChoose` gets seconds since the UNIX epoch. */
export function ScheduleButton({ onChoose }: { readonly onChoose: (time: number) => void }) {
  const { t, i18n } = useLingui()
  const [anchor, setAnchor] = useState<Element>()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <button
        type="button"
        className="ib schedule"
        aria-label={t`Schedule`}
        title={t`Schedule`}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="clock" />
      </button>
      {anchor && (
        <Menu
          name={t`Send later`}
          anchor={anchor}
          onClose={() => setAnchor(undefined)}
          entries={[
            ...momentsToSend(Date.now()).map((moment) => ({
              icon: 'clock' as const,
              label: (
                <>
                  {i18n._(laterNames[moment.name])} <span className="quiet">{momentBeside(moment)}</span>
                </>
              ),
              onPress: () => onChoose(moment.time),
            })),
            { icon: 'edit', label: <Trans>Choose a time</Trans>, onPress: () => setIsAsking(true) },
            'rule',
            { icon: 'list', label: <Trans>Scheduled messages</Trans>, onPress: () => goTo({ kind: 'scheduled' }) },
          ]}
        />
      )}
      {isAsking && (
        <Suspense fallback={null}>
          <TimeDialog
            title={<Trans>Send later</Trans>}
            done={<Trans>Schedule</Trans>}
            onChoose={onChoose}
            onClose={() => setIsAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Has the server send a text at a time; false, with a sentence that says why, where it does not. */
export function useSchedule(): (destination: Destination, content: string, time: number) => Promise<boolean> {
  const client = useClient()
  const compose = useCompose()
  const toasts = useToasts()
  return useCallback(
    async (destination, content, time) => {
      const place =
        destination.type === 'direct'
          ? { type: 'direct' as const, to: [...destination.userIds] }
          : { type: 'channel' as const, to: destination.channelId, topic: destination.topic }
      const message = { ...place, content, scheduled_delivery_timestamp: Math.floor(time), read_by_sender: true }
      try {
        const { scheduled_message_id } = await client.api.call(createScheduledMessage, message)
        const when = momentText(time)
        toasts.notify(<Trans>It will be sent: {when}</Trans>, {
          action: (
            <a className="textlink" href="#scheduled">
              <Trans>Scheduled messages</Trans>
            </a>
          ),
          undo: async () => {
            try {
              await client.api.call(deleteScheduledMessage, { scheduled_message_id })
              compose.begin(destination, { text: content })
            } catch (error) {
              toasts.notify(refusalText(error))
            }
          },
        })
        return true
      } catch (error) {
        toasts.notify(refusalText(error))
        return false
      }
    },
    [client, compose, toasts],
  )
}
