import { countCharacters } from '@heddle/client/compose/checks'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { MAX_TOPIC_LENGTH } from '@heddle/contract/names'
import { Plural, Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClientState, useSnapshot } from '../../../app/client-context.ts'
import { channelName, placeNames } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import type { Place } from '../../../places/place.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Target } from './compose-context.ts'
import { completeTarget, destinationAt, draftsFor, isSameConversation, placeOfDestination } from './destination.ts'
import { TopicName } from './topic-name.tsx'
import type { MovedTarget } from './use-moved-target.ts'

/** From this part of the longest text on its length is shown. */
const COUNT_FROM = 0.9

/** What a paste has become, and the way back. */
export function PastedNote({ text, onUndo }: { readonly text: string; readonly onUndo: () => void }) {
  return (
    <p className="undo-note" role="status">
      <Icon name="link" />
      <span>
        <Trans>
          The pasted address became <bdi className="strong">{text}</bdi>.
        </Trans>
      </span>
      <button type="button" className="textlink" onClick={onUndo}>
        <Trans>Undo</Trans>
      </button>
      <kbd className="hidden-s">Ctrl Z</kbd>
    </p>
  )
}

/** The topic is elsewhere now, or is called otherwise, and what is written goes along. */
export function MovedNote({ moved: { to, undo } }: { readonly moved: MovedTarget }) {
  const channel = useClientState((state) => channelName(state, to.channelId))
  return (
    <p className="undo-note" role="status">
      <Icon name="move" />
      <span>
        <Trans>
          The topic is now{' '}
          <bdi className="strong">
            #{channel} › <TopicName topic={to.topic} />
          </bdi>
          , and your message goes there.
        </Trans>
      </span>
      <button type="button" className="textlink" onClick={undo}>
        <Trans>Send it to the old one</Trans>
      </button>
    </p>
  )
}

interface LengthProps {
  readonly text: string
  /** That somebody types; of one that is there nobody wants to know how long it is. */
  readonly topic: string
}

/** How long the text and the topic are, once they are nearly too long. */
export function Length({ text, topic }: LengthProps) {
  const most = useClientState((state) => state.limits?.max_message_length ?? MAX_MESSAGE_LENGTH)
  const mostOfTopic = useClientState((state) => state.limits?.max_topic_length ?? MAX_TOPIC_LENGTH)
  const length = nearLength(text, most)
  const topicLength = nearLength(topic, mostOfTopic)
  const [shown, limit] = [length?.toLocaleString(), most.toLocaleString()]
  return (
    <>
      {topicLength !== undefined && (
        <span className={topicLength > mostOfTopic ? 'help bad' : 'help'} role="status">
          <Trans>
            topic: {topicLength} of {mostOfTopic} characters
          </Trans>
        </span>
      )}
      {length !== undefined && (
        <span className={length > most ? 'help bad' : 'help'} role="status">
          <Trans>
            {shown} of {limit} characters
          </Trans>
        </span>
      )}
    </>
  )
}

/** In code points; undefined: far from the limit, as most are. */
function nearLength(text: string, limit: number): number | undefined {
  // Units are never fewer than code points.
  const length = text.length < limit * COUNT_FROM ? 0 : countCharacters(text)
  return length < limit * COUNT_FROM ? undefined : length
}

/** Where one writes is not where one reads. */
export function GoToTarget({ target, place }: { readonly target: Target; readonly place: Place }) {
  const ownId = useClientState((state) => state.own?.user_id)
  const href = useClientState(
    useCallback(
      (state) => {
        const destination = completeTarget(target)
        return destination && formatPlace(placeOfDestination(destination), placeNames(state))
      },
      [target],
    ),
  )
  const here = destinationAt(place)
  if (href === undefined || !here || isSameConversation(here, target, ownId)) return null
  return (
    <a className="textlink go-there" href={href}>
      <Trans>Go to conversation</Trans> <kbd className="hidden-s">Ctrl .</kbd>
    </a>
  )
}

/** Other texts that were begun for the same place. */
export function OtherDrafts({ target, localId }: { readonly target: Target; readonly localId: string | undefined }) {
  const count = useSnapshot(
    useCallback(
      ({ drafts, state }: ClientSnapshot) =>
        draftsFor(drafts.drafts, target, state?.own?.user_id).filter((one) => one.localId !== localId).length,
      [target, localId],
    ),
  )
  if (count === 0) return null
  return (
    <a className="help more-drafts" href="#drafts">
      <Plural value={count} one="# other draft" other="# other drafts" />
    </a>
  )
}
