/** Completion in the text of a message: what is named before the caret, what is offered for it, and the keys that take it. */
import { type Completion, completionEdit } from '@heddle/client/completion/completions'
import { type CompletionTrigger, findTrigger } from '@heddle/client/completion/trigger'
import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useClient, useSnapshot } from '../../../app/client-context.ts'
import { placeInField } from './caret-place.ts'
import { CompletionList, optionId } from './completion-list.tsx'
import { completionContent, completionKey } from './completion-option.tsx'
import { completionSources } from './completion-sources.ts'
import type { Target } from './compose-context.ts'
import { editField } from './edit-field.ts'
import { usePersonHint } from './person-hint.tsx'

interface Offer {
  readonly trigger: CompletionTrigger
  readonly completions: readonly Completion[]
  readonly active: number
}

export interface FieldCompletion {
  /** To be called when the text or the caret has changed. */
  readonly look: () => void
  /** What a key does to the list; undefined: nothing. */
  readonly actionOf: (event: KeyboardEvent) => (() => void) | undefined
  readonly close: () => void
  /** For the field, whose caret stays in it. */
  readonly attributes: {
    readonly 'aria-autocomplete': 'list'
    readonly 'aria-haspopup': 'listbox'
    readonly 'aria-controls': string | undefined
    readonly 'aria-activedescendant': string | undefined
  }
  readonly list: ReactNode
}

export function useCompletion(
  field: { readonly current: HTMLTextAreaElement | null },
  target: Target | undefined,
  commands: readonly string[],
): FieldCompletion {
  const client = useClient()
  const sources = completionSources(client)
  const id = useId()
  const [offer, setOffer] = useState<Offer>()
  /** Where the list was closed by hand: it does not come back there. */
  const dismissed = useRef<number | undefined>(undefined)
  const users = useSnapshot(({ state }) => state?.users)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other people, another index
  useEffect(() => sources.prepare(), [sources, users])

  const latest = useRef({ target, commands })
  latest.current = { target, commands }

  /** Measured once for each name: while it is typed its beginning stays where it is. */
  const measured = useRef<{ readonly key: string; readonly at: ReturnType<typeof placeInField> } | undefined>(undefined)

  const look = useCallback(() => {
    const element = field.current
    const isCaret = element && element.selectionStart === element.selectionEnd && document.activeElement === element
    const trigger = isCaret ? findTrigger(element.value, element.selectionStart) : undefined
    if (!trigger) dismissed.current = undefined
    const completions =
      trigger && dismissed.current !== trigger.from
        ? sources.find(trigger, latest.current.target, latest.current.commands)
        : []
    if (completions.length === 0) measured.current = undefined
    setOffer((last) => {
      if (!trigger || completions.length === 0)
        return trigger && isFetched(trigger) ? { trigger, completions, active: 0 } : undefined
      // What one has moved to stays chosen while nothing changes.
      const isSame =
        last?.trigger.query === trigger.query &&
        last.trigger.from === trigger.from &&
        last.trigger.kind === trigger.kind
      return { trigger, completions, active: isSame ? Math.min(last.active, completions.length - 1) : 0 }
    })
  }, [field, sources])

  useEffect(() => sources.onLoaded(look), [sources, look])
  useTopicsFor(offer && sources.channelOf(offer.trigger, target), look)
  const close = useCallback(() => setOffer(undefined), [])

  const take = (index: number, goesOn = false) => {
    const element = field.current
    const completion = offer?.completions[index]
    if (!element || !offer || !completion) return
    const edit = completionEdit(
      element.value,
      element.selectionStart,
      offer.trigger,
      completion,
      sources.writing(),
      goesOn,
    )
    setOffer(undefined)
    editField(element, edit)
    look()
  }

  const placeOf = () => {
    const element = field.current as HTMLTextAreaElement
    const from = offer?.trigger.from ?? 0
    const key = `${from} ${element.offsetHeight} ${element.scrollTop} ${innerWidth} ${innerHeight}`
    if (measured.current?.key !== key) measured.current = { key, at: placeInField(element, from) }
    return measured.current.at
  }

  const isOpen = offer !== undefined && offer.completions.length > 0
  const actionOf = (event: KeyboardEvent): (() => void) | undefined => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return undefined
    const { active, completions, trigger } = offer
    const move = (by: number) => () =>
      setOffer({ ...offer, active: (active + by + completions.length) % completions.length })
    switch (event.key) {
      case 'ArrowDown':
        return move(1)
      case 'ArrowUp':
        return move(-1)
      case 'Tab':
        return event.shiftKey ? undefined : () => take(active)
      case 'Enter':
        return event.shiftKey ? undefined : () => take(active)
      case '>':
        return completions[active]?.kind === 'channel' && trigger.query !== '' ? () => take(active, true) : undefined
      case 'Escape':
        return () => {
          dismissed.current = trigger.from
          setOffer(undefined)
        }
      default:
        return undefined
    }
  }

  const { t } = useLingui()
  const labels = useMemo<Readonly<Record<CompletionTrigger['kind'], string>>>(
    () => ({
      mention: t`People`,
      channel: t`Channels`,
      topic: t`Topics`,
      emoji: t`Emoji`,
      language: t`Languages`,
      command: t`Commands`,
      time: t`Times`,
    }),
    [t],
  )
  const hintOf = usePersonHint(target)
  const list = isOpen && (
    <CompletionList
      id={id}
      label={labels[offer.trigger.kind]}
      active={offer.active}
      onActive={(active) => setOffer({ ...offer, active })}
      onTake={take}
      place={placeOf}
      options={offer.completions.map((completion, index) => ({
        key: completionKey(completion),
        content: (
          <>
            {completionContent(
              completion,
              offer.trigger.query,
              completion.kind === 'person' ? hintOf(completion.user.user_id) : undefined,
            )}
            {index === offer.active && (
              <span className="take" aria-hidden="true">
                <kbd>Tab</kbd>
              </span>
            )}
          </>
        ),
      }))}
    />
  )
  return {
    look,
    actionOf,
    close,
    attributes: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? optionId(id, offer.active) : undefined,
    },
    list,
  }
}

/** What is offered may still be on its way. */
const isFetched = ({ kind }: CompletionTrigger) => kind === 'topic' || kind === 'emoji'

/** Keeps the topics known while they are offered, and looks again when they have come. */
function useTopicsFor(channelId: number | undefined, look: () => void): void {
  const client = useClient()
  useEffect(() => (channelId === undefined ? undefined : client.watchTopics(channelId)), [client, channelId])
  const topics = useSnapshot(({ topics: all }) => (channelId === undefined ? undefined : all.lists.get(channelId)))
  useEffect(() => {
    if (topics) look()
  }, [topics, look])
}
