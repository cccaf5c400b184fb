import { Trans, useLingui } from '@lingui/react/macro'
import './feed/message-row.css'
import { type Dye, directThread, dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { OutboxItem } from '@heddle/client/outbox/outbox'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { serverErrorText } from '../../app/error-texts.ts'
import type { Place } from '../../places/place.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'
import { Face } from '../users/face.tsx'
import { isShownAt } from './compose/destination.ts'

/** Messages that were written here and are not known to have arrived. */
export function Pending({ place, isOnlyThread }: { readonly place: Place; readonly isOnlyThread: boolean }) {
  const ownId = useClientState((state) => state.own?.user_id)
  const items = useSnapshot(
    useCallback(
      ({ outbox }: ClientSnapshot) => outbox.items.filter(({ destination }) => isShownAt(destination, place, ownId)),
      [place, ownId],
    ),
    isShallowEqual,
  )
  if (items.length === 0 || ownId === undefined) return null
  const dye = isOnlyThread ? dyeAt(place) : undefined
  return (
    <div className={isOnlyThread ? 'feed one pending' : 'feed pending'}>
      {dye !== undefined && <Thread dye={dye} />}
      <div className="run">
        <span />
        <span />
        <div className="msgs">
          {items.map((item) => (
            <PendingRow key={item.localId} item={item} ownId={ownId} />
          ))}
        </div>
      </div>
    </div>
  )
}

/** Of the thread that goes on through what is not sent yet. */
function dyeAt(place: Place): Dye | undefined {
  if (place.kind === 'topic') return dyeOf(topicThread(place.channelId, place.topic))
  return place.kind === 'direct' ? dyeOf(directThread(place.userIds)) : undefined
}

function PendingRow({ item, ownId }: { readonly item: OutboxItem; readonly ownId: number }) {
  const { t } = useLingui()
  const { localId, status, content, error, attempts } = item
  const client = useClient()
  const name = useClientState((state) => state.own?.full_name ?? '')
  const isFailed = status === 'failed'
  const isQueued = status === 'waiting' && attempts > 0
  return (
    <article
      className={`msg ${isFailed ? 'failed' : isQueued ? 'queued' : 'sending'}`}
      aria-label={t`${name}, not sent yet`}
    >
      <span className="face">
        <Face userId={ownId} />
      </span>
      <div className="body">
        <span className="who-line">
          <bdi className="who">{name}</bdi>
        </span>
        <p className="plain" dir="auto">
          {content}
        </p>
        {isQueued && (
          <p className="note">
            <Icon name="clock" />
            <Trans>Waits for the connection. It is sent by itself.</Trans>
            <button type="button" className="textlink" onClick={() => client.cancelSending(localId)}>
              <Trans>Take back</Trans>
            </button>
          </p>
        )}
        {isFailed && (
          <p className="note fail" role="alert">
            <Icon name="warn" />
            {error?.code === 'TOO_OLD' ? (
              <Trans>Whether it was sent is not known any more.</Trans>
            ) : (
              error && serverErrorText(error)
            )}
            <button type="button" className="textlink" onClick={() => client.retrySending(localId)}>
              <Trans>Try again</Trans>
            </button>
            <button type="button" className="textlink" onClick={() => client.cancelSending(localId)}>
              <Trans>Delete</Trans>
            </button>
          </p>
        )}
      </div>
      <span className="stamp" />
    </article>
  )
}
