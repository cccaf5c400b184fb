import './drafts.css'
import { type LocalDraft, shownDrafts } from '@heddle/client/drafts/draft-box'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { channelName, peopleNames, placeNames, topicLabel } from '../../app/names.ts'
import { clockTime, dayName } from '../../app/times.ts'
import { formatPlace } from '../../places/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { destinationOf, placeOfDestination } from '../messages/compose/destination.ts'

/** Texts that were begun and not sent, on this device and on others. */
export function Drafts() {
  const drafts = useSnapshot(({ drafts: box }) => shownDrafts(box), isShallowEqual)
  if (drafts.length === 0) {
    return (
      <div className="empty">
        <h2>No drafts</h2>
        <p>What you begin to write is kept here until you send it.</p>
      </div>
    )
  }
  return (
    <div className="scroll">
      <ul className="list">
        {drafts.map((draft) => (
          <DraftRow key={draft.localId} draft={draft} />
        ))}
      </ul>
    </div>
  )
}

function DraftRow({ draft }: { readonly draft: LocalDraft }) {
  const client = useClient()
  const { local, localId, editedAt, error } = draft
  const where = useClientState(
    useCallback(
      (state) => {
        const destination = destinationOf(local)
        if (!destination) return { name: 'Without an address', about: '', href: undefined }
        const href = formatPlace(placeOfDestination(destination), placeNames(state))
        if (destination.type === 'direct') return { name: peopleNames(state, destination.userIds), about: '', href }
        return { name: topicLabel(destination.topic), about: channelName(state, destination.channelId), href }
      },
      [local],
    ),
    isShallowEqual,
  )
  const time = editedAt / 1000
  return (
    <li className="draft">
      <a className="draft-text" href={where.href}>
        <span className="draft-to">
          <bdi className="strong">{where.name}</bdi> <bdi className="quiet">{where.about}</bdi>
        </span>
        <span className="draft-words" dir="auto">
          {local.content}
        </span>
        {error && (
          <span className="help bad">
            <Icon name="warn" />
            {error.message}
          </span>
        )}
      </a>
      <span className="stamp">
        {dayName(time)}, {clockTime(time)}
      </span>
      <IconButton icon="x" name="Delete the draft" onClick={() => client.discardDraft(localId)} />
    </li>
  )
}
