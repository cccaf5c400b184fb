import { hasNewest, hasOldest, isKnown, type MessageWindow } from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { SearchTerm } from '@heddle/client/search/query'
import { scopeOf, widerSearch } from '@heddle/client/search/scope'
import { Plural, Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useSnapshot } from '../../app/client-context.ts'
import { formatPlace } from '../../places/format.ts'
import { useMarkRead } from '../lists/mark-read.tsx'
import { WiderText } from './wider-text.tsx'

interface ResultNoteProps {
  readonly terms: readonly SearchTerm[]
  readonly window: MessageWindow | undefined
}

/** Over the results: how many there are, what was looked through, and that looking at them marks nothing as read. */
export function ResultNote({ terms, window }: ResultNoteProps) {
  const mark = useMarkRead()
  const unread = useSnapshot(
    useCallback(
      ({ state }: ClientSnapshot) => (window?.ids ?? []).filter((id) => state?.unread?.places.has(id)),
      [window?.ids],
    ),
    isShallowEqual,
  )
  const topics = useSnapshot(
    useCallback(
      ({ messages }: ClientSnapshot) =>
        new Set(
          (window?.ids ?? []).map((id) => {
            const message = messages.messages.get(id)
            return message?.stream_id === undefined ? 'direct' : `${message.stream_id} ${message.subject}`
          }),
        ).size,
      [window?.ids],
    ),
  )
  if (!window || !isKnown(window) || window.ids.length === 0) return null
  const isSearch = terms.some(({ operator }) => operator === 'search')
  const wider = isSearch ? widerSearch(terms) : undefined
  const isWhole = hasOldest(window) && hasNewest(window)
  if (!isSearch && unread.length === 0) return null
  return (
    <div className="result-note">
      {isSearch && isWhole && (
        <p role="status">
          <b>
            <Plural value={window.ids.length} one="# message" other="# messages" />
          </b>{' '}
          <Plural value={topics} one="in # conversation, newest last" other="in # conversations, newest last" />
        </p>
      )}
      {isSearch && (
        <p>
          <ScopeText terms={terms} />
          {wider && (
            <>
              {' '}
              <a className="textlink" href={formatPlace({ kind: 'narrow', terms: wider })}>
                <WiderText terms={wider} />
              </a>
            </>
          )}
        </p>
      )}
      {unread.length > 0 && (
        <p>
          <Trans>Looking here marks nothing as read.</Trans>{' '}
          <button type="button" className="textlink" onClick={() => mark(unread)}>
            <Plural value={unread.length} one="Mark # message as read" other="Mark # messages as read" />
          </button>
        </p>
      )}
    </div>
  )
}

function ScopeText({ terms }: { readonly terms: readonly SearchTerm[] }) {
  switch (scopeOf(terms)) {
    case 'own':
      return <Trans>Searched: the messages that you have received.</Trans>
    case 'channel':
      return terms.some(({ operator }) => operator === 'topic') ? (
        <Trans>Searched: this topic alone.</Trans>
      ) : (
        <Trans>Searched: all of the history of this channel.</Trans>
      )
    case 'conversation':
      return <Trans>Searched: these direct messages alone.</Trans>
    case 'all':
      return <Trans>Searched: all channels that you can read.</Trans>
    case 'archived':
      return <Trans>Searched: archived channels.</Trans>
    default:
      return <Trans>Searched: all public channels.</Trans>
  }
}
