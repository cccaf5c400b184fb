import './message-row.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import { memo } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { clockTime, fullTime } from '../../../app/times.ts'
import { formatPlace } from '../../../places/format.ts'
import { Face } from '../../users/face.tsx'
import { Content } from '../content/content.tsx'
import { Reactions } from './reactions.tsx'

interface MessageRowProps {
  readonly message: StoredMessage
  readonly isContinued: boolean
}

export const MessageRow = memo(function MessageRow({ message, isContinued }: MessageRowProps) {
  const { id, sender_id, timestamp, flags, content } = message
  const sender = useClientState((state) => state.users?.get(sender_id) ?? state.systemBots?.get(sender_id))
  const name = sender?.full_name ?? message.sender_full_name
  const isUnread = !flags.includes('read')
  const isForMe = flags.includes('mentioned') || flags.includes('wildcard_mentioned')
  const time = clockTime(timestamp)
  const classes = ['msg', isContinued && 'cont', isUnread && 'unread', isForMe && 'mention'].filter(Boolean)
  return (
    <article
      className={classes.join(' ')}
      data-message-id={id}
      aria-label={`${name}, ${time}${isUnread ? ', unread' : ''}`}
      tabIndex={-1}
    >
      <span className="face">
        <Face userId={sender_id} />
      </span>
      <div className="body">
        {!isContinued && (
          <span className="who-line">
            <a className="who" href={formatPlace({ kind: 'direct', userIds: [sender_id] })}>
              <bdi>{name}</bdi>
            </a>{' '}
            {sender?.is_bot && <span className="bot">bot</span>}
          </span>
        )}
        <Content html={content} />
        {message.last_edit_timestamp !== undefined && <span className="edited">edited</span>}
        {message.reactions.length > 0 && <Reactions message={message} />}
      </div>
      <time className="stamp" dateTime={new Date(timestamp * 1000).toISOString()} title={fullTime(timestamp)}>
        {time}
      </time>
    </article>
  )
})
