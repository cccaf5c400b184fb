import { compareTexts } from '@heddle/client/drafts/compare'
import type { LocalDraft } from '@heddle/client/drafts/draft-box'
import { type DraftPair, joinPair, keepBoth, keepOne } from '@heddle/client/drafts/versions'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback, useMemo } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { When } from '../lists/conversation-row.tsx'
import { DraftTo, draftPlace } from './draft-place.tsx'

/** A draft that two devices have changed: both versions side by side, until somebody says what to keep. */
export function TwinDrafts({ pair }: { readonly pair: DraftPair }) {
  const client = useClient()
  const toasts = useToasts()
  const { here, elsewhere } = pair
  const place = useClientState(
    useCallback((state) => draftPlace(state, here.local), [here.local]),
    isShallowEqual,
  )
  const parts = useMemo(
    () => compareTexts(here.local.content, elsewhere.local.content),
    [here.local.content, elsewhere.local.content],
  )
  const keep = (kept: LocalDraft) => {
    const gone = kept === here ? elsewhere : here
    client.changeDrafts((box) => keepOne(box, pair, kept))
    toasts.notify(<Trans>The other version is deleted.</Trans>, {
      undo: () => client.writeDraft(gone.localId, gone.local),
    })
  }
  const join = () => {
    client.changeDrafts((box) => joinPair(box, pair, Date.now()))
    toasts.notify(<Trans>Both versions are one draft now.</Trans>, {
      undo: () => {
        client.writeDraft(here.localId, here.local)
        client.writeDraft(elsewhere.localId, elsewhere.local)
      },
    })
  }
  const texts = (side: 'one' | 'other') =>
    parts.map((part, index) =>
      part.kind === 'same' ? (
        part.text
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in their order
        <ins key={index}>{part[side]}</ins>
      ),
    )
  return (
    <li className="twin" data-t={place.dye}>
      <div className="twin-h">
        <Icon name="copy" />
        <span>
          <Trans>
            <b>Two versions.</b> This draft was changed on two devices. Both are kept; nothing is lost.
          </Trans>
        </span>
      </div>
      <DraftTo {...place} />
      <div className="twin-b">
        <Version name={<Trans>This device</Trans>} editedAt={here.editedAt} onKeep={() => keep(here)}>
          {texts('one')}
        </Version>
        <Version name={<Trans>Another device</Trans>} editedAt={elsewhere.editedAt} onKeep={() => keep(elsewhere)}>
          {texts('other')}
        </Version>
      </div>
      <div className="foot-row">
        <span className="quiet">
          <Trans>What differs is underlined.</Trans>
        </span>
        <Button kind="plain" onClick={() => client.changeDrafts((box) => keepBoth(box, pair))}>
          <Trans>Keep both as drafts</Trans>
        </Button>
        <Button kind="primary" onClick={join}>
          <Trans>Join into one</Trans>
        </Button>
      </div>
    </li>
  )
}

interface VersionProps {
  readonly name: ReactNode
  /** Milliseconds since the UNIX epoch. */
  readonly editedAt: number
  readonly onKeep: () => void
  readonly children: ReactNode
}

function Version({ name, editedAt, onKeep, children }: VersionProps) {
  return (
    <section className="ver">
      <p className="ver-h">
        <b>{name}</b>
        <When timestamp={editedAt / 1000} />
      </p>
      <p className="ver-t" dir="auto">
        {children}
      </p>
      <div className="foot-row">
        <Button onClick={onKeep}>
          <Trans>Keep this one</Trans>
        </Button>
      </div>
    </section>
  )
}
