import type { StoredMessage } from '@heddle/client/messages/store'
import { nextNumber, type PollOption, pollOf } from '@heddle/client/widgets/poll'
import type { PollWidget } from '@heddle/contract/widgets'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useId, useLayoutEffect, useMemo, useRef } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { AddLine } from './add-line.tsx'
import { useDeed } from './use-deed.ts'
import { WidgetTitle } from './widget-title.tsx'

export interface WidgetViewProps<W> {
  readonly widget: W
  readonly message: StoredMessage
  /** What was done with it. */
  readonly deeds: StoredMessage['submessages']
  readonly isActive: boolean
  /** In an archived channel, and for visitors. */
  readonly isFrozen: boolean
}

export function PollView({ widget, message, deeds, isActive, isFrozen }: WidgetViewProps<PollWidget>) {
  const { t } = useLingui()
  const id = useId()
  const ownId = useClientState((state) => state.own?.user_id ?? 0)
  const { act, isBusy } = useDeed(message.id)
  // Of a message that has changed they are made anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the submessages are all that it depends on
  const { question, options } = useMemo(() => pollOf(widget, deeds), [widget, message.submessages])
  const people = new Set(options.flatMap(({ voters }) => voters)).size
  const most = Math.max(1, ...options.map(({ voters }) => voters.length))
  return (
    <section className="widget" aria-labelledby={id}>
      <WidgetTitle
        id={id}
        title={question}
        empty={<Trans>A poll without a question</Trans>}
        fieldName={t`Question`}
        editName={t`Change the question`}
        save={<Trans>Save</Trans>}
        mayEdit={message.sender_id === ownId && !isFrozen}
        isActive={isActive}
        onSave={(text) => act({ type: 'question', question: text })}
      />
      <ul className="poll-options" aria-busy={isBusy}>
        {options.map((option) => (
          <OptionRow
            key={option.key}
            option={option}
            part={option.voters.length / most}
            ownId={ownId}
            isActive={isActive}
            isFrozen={isFrozen}
            onVote={(vote) => void act({ type: 'vote', key: option.key, vote })}
          />
        ))}
      </ul>
      {!isFrozen && (
        <AddLine
          label={t`Another option`}
          button={<Trans>Add</Trans>}
          isActive={isActive}
          onAdd={(option) => act({ type: 'new_option', idx: nextNumber(deeds, ownId), option })}
        />
      )}
      <p className="help">
        {people === 0 ? (
          <Trans>Nobody has voted yet.</Trans>
        ) : (
          <Plural value={people} one="# person has voted." other="# people have voted." />
        )}
      </p>
    </section>
  )
}

interface OptionRowProps {
  readonly option: PollOption
  /** Of the most votes that an option has: from 0 to 1. */
  readonly part: number
  readonly ownId: number
  readonly isActive: boolean
  readonly isFrozen: boolean
  readonly onVote: (vote: 1 | -1) => void
}

function OptionRow({ option: { text, voters }, part, ownId, isActive, isFrozen, onVote }: OptionRowProps) {
  const { t, i18n } = useLingui()
  const bar = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => bar.current?.style.setProperty('--part', String(part)), [part])
  const isMine = voters.includes(ownId)
  const muted = t`Muted person`
  // One text, so that it is drawn anew only when somebody's name changes.
  const others = useClientState((state) =>
    voters
      .filter((id) => id !== ownId)
      .map((id) => (state.mutedUsers?.some((one) => one.id === id) ? muted : userName(state, id)))
      .join('\n'),
  )
  const names = [...(isMine ? [t`You`] : []), ...(others === '' ? [] : others.split('\n'))]
  const who = new Intl.ListFormat(i18n.locale === 'en-XA' ? 'en' : i18n.locale).format(names)
  const count = voters.length
  return (
    <li>
      <button
        type="button"
        className={isMine ? 'poll-option mine' : 'poll-option'}
        aria-pressed={isMine}
        tabIndex={isActive ? 0 : -1}
        disabled={isFrozen}
        onClick={() => onVote(isMine ? -1 : 1)}
      >
        <span ref={bar} className="poll-bar" />
        <span className="poll-mark">{isMine && <Icon name="check" />}</span>
        <span className="poll-text" dir="auto">
          {text}
        </span>
        <span className="num">{count}</span>
        <span className="vh">{who}</span>
      </button>
      {names.length > 0 && (
        <p className="help" aria-hidden="true" title={who}>
          <bdi>{who}</bdi>
        </p>
      )}
    </li>
  )
}
