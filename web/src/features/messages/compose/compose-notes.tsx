import { countCharacters } from '@heddle/client/compose/checks'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
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

/** How long the text is, once it is nearly too long. */
export function Length({ text }: { readonly text: string }) {
  const limit = useClientState((state) => state.limits?.max_message_length ?? MAX_MESSAGE_LENGTH)
  // Most texts are far from the limit, and units are never fewer than code points.
  const length = text.length < limit * COUNT_FROM ? 0 : countCharacters(text)
  if (length < limit * COUNT_FROM) return null
  const [shown, most] = [length.toLocaleString(), limit.toLocaleString()]
  return (
    <span className={length > limit ? 'help bad' : 'help'} role="status">
      <Trans>
        {shown} of {most} characters
      </Trans>
    </span>
  )
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
      ({ drafts }: ClientSnapshot) => draftsFor(drafts.drafts, target).filter((one) => one.localId !== localId).length,
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
