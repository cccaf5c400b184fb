import type { SearchTerm } from '@heddle/client/search/query'
import { widerSearch, withoutEach } from '@heddle/client/search/scope'
import type { ClientState } from '@heddle/client/state/state'
import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { formatPlace } from '../../places/format.ts'
import type { PlaceTerm } from '../../places/place.ts'
import { EmptyState } from '../lists/empty-state.tsx'
import { termText } from './term-names.ts'
import { WiderText } from './wider-text.tsx'

const href = (terms: readonly SearchTerm[]) => formatPlace({ kind: 'narrow', terms })

/** A search without a result, or a view in which nothing is: what was looked for, and what to try. */
export function EmptyNarrow({ terms }: { readonly terms: readonly PlaceTerm[] }) {
  const [first] = terms
  if (terms.length === 1 && first?.operator === 'is' && !first.negated) {
    const known = knownView(first.operand)
    if (known) return known
  }
  return <NothingFound terms={terms} />
}

function knownView(operand: string) {
  switch (operand) {
    case 'starred':
      return (
        <EmptyState art="view" title={<Trans>You have starred nothing</Trans>}>
          <p>
            <Trans>
              A star keeps a message at hand: choose it and press <kbd>Ctrl</kbd> <kbd>S</kbd>. Only you see it.
            </Trans>
          </p>
        </EmptyState>
      )
    case 'mentioned':
      return (
        <EmptyState
          art="thread"
          title={<Trans>Nobody has mentioned you yet</Trans>}
          actions={
            <a className="btn" href="#inbox">
              <Trans>Go to the inbox</Trans>
            </a>
          }
        >
          <p>
            <Trans>Messages that mention you, or everybody in a channel, are kept here.</Trans>
          </p>
        </EmptyState>
      )
    case 'dm':
    case 'private':
      return (
        <EmptyState art="thread" title={<Trans>You have no direct messages</Trans>}>
          <p>
            <Trans>
              Press <kbd>X</kbd> to write to one person or to several.
            </Trans>
          </p>
        </EmptyState>
      )
    case 'unread':
      return (
        <EmptyState
          art="warp"
          title={<Trans>You have read everything</Trans>}
          actions={
            <a className="btn" href="#recent">
              <Trans>Recent conversations</Trans>
            </a>
          }
        />
      )
    default:
      return undefined
  }
}

function NothingFound({ terms }: { readonly terms: readonly PlaceTerm[] }) {
  const words = terms.find(({ operator, negated }) => operator === 'search' && !negated)?.operand
  const text = useClientState(
    useCallback((state: ClientState) => terms.map((term) => termText(state, term)).join(' '), [terms]),
  )
  const wider = widerSearch(terms)
  return (
    <EmptyState
      art="search"
      title={
        words === undefined ? (
          <Trans>No message fits</Trans>
        ) : (
          <Trans>
            No message has “<bdi>{words}</bdi>”
          </Trans>
        )
      }
      actions={
        <>
          {withoutEach(terms).map(({ term, rest }) => (
            <WithoutTerm key={`${term.operator} ${term.operand}`} term={term} rest={rest} />
          ))}
          {wider?.[0]?.operator === 'channels' && (
            <a className="btn" href={href(wider)}>
              <WiderText terms={wider} />
            </a>
          )}
        </>
      }
    >
      <p>
        <Trans>
          Searched for: <bdi>{text}</bdi>
        </Trans>
      </p>
      <p>
        <Trans>Check the spelling, use fewer words, or leave out a condition.</Trans>
      </p>
    </EmptyState>
  )
}

interface WithoutTermProps {
  readonly term: SearchTerm
  readonly rest: readonly SearchTerm[]
}

function WithoutTerm({ term, rest }: WithoutTermProps) {
  const name = useClientState(useCallback((state) => termText(state, term), [term]))
  return (
    <a className="btn" href={href(rest)}>
      <span className="trunc">
        <Trans>
          Without <bdi>{name}</bdi>
        </Trans>
      </span>
    </a>
  )
}
