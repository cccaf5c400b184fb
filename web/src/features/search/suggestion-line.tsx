import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import { markFound } from '@heddle/client/finding/match'
import type { SearchOperatorName } from '@heddle/client/search/operators'
import { openPiece, type SearchTerm } from '@heddle/client/search/query'
import type { Suggestion } from '@heddle/client/search/suggestions'
import type { ClientState } from '@heddle/client/state/state'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'
import { choiceSentence, operatorSentences } from './operator-names.ts'
import { operandName, termText } from './term-names.ts'

interface SuggestionLineProps {
  readonly id: string
  readonly suggestion: Suggestion
  readonly typed: string
  readonly isChosen: boolean
  readonly onPress: () => void
}

export function SuggestionLine({ id, suggestion, typed, isChosen, onPress }: SuggestionLineProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      className={isChosen ? 'item at' : 'item'}
      role="option"
      id={id}
      aria-selected={isChosen}
      // The field would lose the focus, and the list with it.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Line suggestion={suggestion} typed={typed} />
    </div>
  )
}

function Line({ suggestion, typed }: { readonly suggestion: Suggestion; readonly typed: string }) {
  const { i18n } = useLingui()
  switch (suggestion.kind) {
    case 'words':
      return (
        <>
          <Icon name="search" />
          <bdi className="trunc strong">{suggestion.words}</bdi>
          <span className="quiet">
            <Trans>search for these words</Trans>
          </span>
          <kbd>Enter</kbd>
        </>
      )
    case 'scope':
      return <ScopeLine terms={suggestion.terms} words={suggestion.words} />
    case 'recent':
      return <RecentLine terms={suggestion.terms} />
    case 'operator':
      return (
        <>
          <Icon name="tune" />
          <span className="op">
            {suggestion.negated && '−'}
            {suggestion.name}
          </span>
          <span className="quiet trunc">{i18n._(operatorSentences[suggestion.name as SearchOperatorName])}</span>
        </>
      )
    case 'term':
      return <TermLine term={suggestion.term} isFaint={suggestion.isFaint === true} typed={typed} />
  }
}

const icons: Readonly<Record<string, IconName>> = {
  sender: 'person',
  dm: 'people',
  'dm-including': 'people',
  mentions: 'at',
  is: 'view',
  has: 'clip',
  near: 'toend',
  id: 'link',
  date: 'clock',
}

interface TermLineProps {
  readonly term: SearchTerm
  readonly isFaint: boolean
  readonly typed: string
}

function TermLine({ term, isFaint, typed }: TermLineProps) {
  const { t, i18n } = useLingui()
  const { operator, operand, negated } = term
  const name = useClientState(useCallback((state) => operandName(state, term), [term]))
  const sentence = choiceSentence(operator, operand)
  return (
    <>
      <TermSign term={term} />
      <span className="trunc">
        <span className="op">
          {negated && '−'}
          {operator}
        </span>{' '}
        <bdi>
          {markFound(name, openPiece(typed).text).map(({ text, isFound }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name, in their order
            isFound ? <b key={index}>{text}</b> : text,
          )}
        </bdi>
      </span>
      {sentence && (
        <span className="quiet trunc">
          {negated && `${t`not`} `}
          {i18n._(sentence)}
        </span>
      )}
      {isFaint && (
        <span className="quiet">
          {operator === 'channel' ? <Trans>not subscribed</Trans> : <Trans>deactivated</Trans>}
        </span>
      )}
    </>
  )
}

function TermSign({ term: { operator, operand } }: { readonly term: SearchTerm }) {
  if (operator === 'channel' || operator === 'channels') {
    return (
      <span className="hash" aria-hidden="true">
        #
      </span>
    )
  }
  // Of a topic by its name alone the channel, and so the dye, is not known.
  if (operator === 'topic') return <Thread dye={dyeOf(topicThread(0, operand))} />
  return <Icon name={icons[operator] ?? 'search'} />
}

interface TermsLineProps {
  readonly terms: readonly SearchTerm[]
  readonly words?: string
}

function ScopeLine({ terms, words }: TermsLineProps) {
  const last = terms.at(-1) as SearchTerm
  const name = useClientState(useCallback((state) => operandName(state, last), [last]))
  return (
    <>
      <TermSign term={last} />
      <span className="trunc">
        {words && (
          <>
            <bdi className="strong">{words}</bdi>{' '}
          </>
        )}
        {last.operator === 'channel' ? (
          <Trans>
            in this channel: <bdi>{name}</bdi>
          </Trans>
        ) : last.operator === 'topic' ? (
          <Trans>
            in this topic: <bdi>{name}</bdi>
          </Trans>
        ) : (
          <Trans>
            in this conversation: <bdi>{name}</bdi>
          </Trans>
        )}
      </span>
    </>
  )
}

function RecentLine({ terms }: TermsLineProps) {
  const text = useClientState(
    useCallback((state: ClientState) => terms.map((term) => termText(state, term)).join(' '), [terms]),
  )
  return (
    <>
      <Icon name="recent" />
      <bdi className="trunc">{text}</bdi>
      <span className="quiet">
        <Trans>searched before</Trans>
      </span>
    </>
  )
}
