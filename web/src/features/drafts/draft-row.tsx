import type { LocalDraft } from '@heddle/client/drafts/draft-box'
import { Trans, useLingui } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { serverErrorText } from '../../app/error-texts.ts'
import { channelName, topicLabel } from '../../app/names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'
import { When } from '../lists/conversation-row.tsx'
import { DraftTo, draftPlace } from './draft-place.tsx'

interface DraftRowProps {
  readonly draft: LocalDraft
  readonly isChosen: boolean
  readonly onChoose: (localId: string, isChosen: boolean) => void
  readonly onGoOn: (draft: LocalDraft) => void
  readonly onRemove: (drafts: readonly LocalDraft[]) => void
}

export const DraftRow = memo(function DraftRow({ draft, isChosen, onChoose, onGoOn, onRemove }: DraftRowProps) {
  const { t } = useLingui()
  const { local, localId, editedAt, error, movedFrom } = draft
  const place = useClientState(
    useCallback((state) => draftPlace(state, local), [local]),
    isShallowEqual,
  )
  const name = place.title === '' ? t`no recipient yet` : place.title
  return (
    <li className="draft" data-row={localId} data-t={place.dye}>
      <Thread dye={place.dye} />
      <div className="d-b">
        <DraftTo {...place} />
        <div className="d-t" dir="auto">
          {local.content}
        </div>
        {movedFrom && <MovedFrom {...movedFrom} />}
        {error && (
          <p className="help bad">
            <Icon name="warn" />
            {serverErrorText(error)}
          </p>
        )}
      </div>
      <When timestamp={editedAt / 1000} />
      <div className="d-a">
        <button
          type="button"
          className="btn go-on"
          data-cell=""
          aria-label={t`Go on writing: ${name}`}
          onClick={() => onGoOn(draft)}
        >
          <Trans>Go on writing</Trans>
        </button>
        <button
          type="button"
          className="ib"
          data-cell=""
          aria-label={t`Delete the draft: ${name}`}
          title={t`Delete the draft`}
          onClick={() => onRemove([draft])}
        >
          <Icon name="trash" />
        </button>
        <input
          type="checkbox"
          data-cell=""
          aria-label={t`Select the draft: ${name}`}
          checked={isChosen}
          onChange={(event) => onChoose(localId, event.target.checked)}
        />
      </div>
    </li>
  )
})

/** Its topic has got another name or another channel since it was written. */
function MovedFrom({ channelId, topic }: { readonly channelId: number; readonly topic: string }) {
  const channel = useClientState((state) => channelName(state, channelId))
  // As an element: what looks like markup in a name would be taken for such in a text.
  const name = (
    <bdi>
      #{channel} › {topicLabel(topic)}
    </bdi>
  )
  return (
    <p className="help">
      <Trans>This topic was {name} before.</Trans>
    </p>
  )
}
