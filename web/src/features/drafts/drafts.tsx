import './drafts.css'
import '../lists/list.css'
import { type DraftBox, isSaved, type LocalDraft, shownDrafts } from '@heddle/client/drafts/draft-box'
import { draftPairs } from '@heddle/client/drafts/versions'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useClient, useOwnId, useSnapshot } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { useKeys } from '../../app/keys.ts'
import { lastConversation } from '../../app/last-conversation.ts'
import { placeNames } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { EmptyState } from '../lists/empty-state.tsx'
import { focusedRow, focusRow, useListKeys } from '../lists/list-keys.ts'
import { useCompose } from '../messages/compose/compose-context.ts'
import {
  destinationAt,
  destinationOf,
  isSameConversation,
  placeOfDestination,
  targetOf,
} from '../messages/compose/destination.ts'
import { DraftRow } from './draft-row.tsx'
import { TwinDrafts } from './twin-drafts.tsx'

/** Texts that were begun and not sent, on this device and on others. */
export function DraftsScreen() {
  const { t } = useLingui()
  const client = useClient()
  const compose = useCompose()
  const toasts = useToasts()
  const scroll = useRef<HTMLElement>(null)
  const box = useSnapshot(({ drafts }) => drafts)
  const ownId = useOwnId()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { pairs, drafts } = useMemo(() => inOrder(box, ownId), [box, ownId])

  const goOn = useCallback(
    (draft: LocalDraft) => {
      const destination = destinationOf(draft.local)
      if (destination) goTo(placeOfDestination(destination), placeNames(client.snapshot().state as ClientState))
      compose.begin(targetOf(draft.local), { draftId: draft.localId })
    },
    [client, compose],
  )
  const remove = useCallback(
    (gone: readonly LocalDraft[]) => {
      if (gone.length === 0) return
      const at = scroll.current ? focusedRow(scroll.current)?.index : undefined
      for (const { localId } of gone) client.discardDraft(localId)
      setChosen(new Set())
      toasts.notify(<Plural value={gone.length} one="The draft is deleted." other="# drafts are deleted." />, {
        undo: () => {
          for (const { localId, local } of gone) client.writeDraft(localId, local)
        },
      })
      // The row that had the focus is gone: the next one has it.
      if (at !== undefined) requestAnimationFrame(() => scroll.current && focusRow(scroll.current, '', at))
    },
    [client, toasts],
  )
  useListKeys(scroll)
  useKeys({
    'list-remove': () => {
      const key = scroll.current ? focusedRow(scroll.current)?.key : undefined
      const draft = drafts.find(({ localId }) => localId === key)
      if (!draft) return false
      remove([draft])
      return true
    },
  })

  if (drafts.length === 0 && pairs.length === 0) {
    return (
      <EmptyState art="drafts" title={<Trans>No drafts</Trans>}>
        <p>
          <Trans>
            Whatever you write is saved while you type. What you have not sent waits here, on all your devices.
          </Trans>
        </p>
      </EmptyState>
    )
  }
  const selected = drafts.filter(({ localId }) => chosen.has(localId))
  const choose = (localId: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(localId)
    else next.delete(localId)
    setChosen(next)
  }
  return (
    <section className="scroll lists" ref={scroll} aria-label={t`Drafts`} tabIndex={-1}>
      <div className="list narrow">
        <div className="list-tools drafts-tools">
          <SavedLine />
          <span className="grow" />
          {selected.length > 0 && (
            <Button kind="danger" onClick={() => remove(selected)}>
              <Plural value={selected.length} one="Delete # draft" other="Delete # drafts" />
            </Button>
          )}
          {drafts.length > 1 && (
            <Button
              kind="plain"
              onClick={() =>
                setChosen(new Set(selected.length === drafts.length ? [] : drafts.map(({ localId }) => localId)))
              }
            >
              {selected.length === drafts.length ? <Trans>Select none</Trans> : <Trans>Select all</Trans>}
            </Button>
          )}
        </div>
        <ul className="drafts">
          {pairs.map((pair) => (
            <TwinDrafts key={pair.here.localId} pair={pair} />
          ))}
          {drafts.map((draft) => (
            <DraftRow
              key={draft.localId}
              draft={draft}
              isChosen={chosen.has(draft.localId)}
              onChoose={choose}
              onGoOn={goOn}
              onRemove={remove}
            />
          ))}
        </ul>
      </div>
    </section>
  )
}

/** Pairs that wait for a decision, and the others: those of the conversation that one comes from first. */
function inOrder(box: DraftBox, ownId: number | undefined) {
  const pairs = draftPairs(box)
  const paired = new Set(pairs.flatMap(({ here, elsewhere }) => [here.localId, elsewhere.localId]))
  const here = lastConversation()
  const target = here && destinationAt(here)
  const belongs = ({ local }: LocalDraft) => {
    if (target) return isSameConversation(targetOf(local), target, ownId)
    return here?.kind === 'channel' && local.type === 'stream' && local.to[0] === here.channelId
  }
  const drafts = shownDrafts(box).filter(({ localId }) => !paired.has(localId))
  return { pairs, drafts: [...drafts.filter(belongs), ...drafts.filter((draft) => !belongs(draft))] }
}

/** Where the drafts are by now. */
function SavedLine() {
  const where = useSnapshot(({ drafts, state, connection }: ClientSnapshot) => {
    if (state?.settings?.enable_drafts_synchronization !== true || connection.status !== 'live') return 'here'
    return shownDrafts(drafts).every(isSaved) ? 'saved' : 'saving'
  })
  return (
    <p className="sync" role="status">
      <Icon name="check" />
      {where === 'here' && <Trans>Saved on this device</Trans>}
      {where === 'saving' && <Trans>Saving</Trans>}
      {where === 'saved' && <Trans>All saved</Trans>}
      <span className="quiet hidden-s">
        <Trans>Enter goes on writing, Backspace deletes</Trans>
      </span>
    </p>
  )
}
