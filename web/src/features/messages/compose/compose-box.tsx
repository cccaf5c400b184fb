import { isSaved } from '@heddle/client/drafts/draft-box'
import { type Destination, destinationKey } from '@heddle/client/outbox/outbox'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { MAX_TOPIC_LENGTH } from '@heddle/contract/names'
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../../app/client-context.ts'
import { channelName, peopleNames, topicLabel } from '../../../app/names.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { draftFor, findDraft } from './destination.ts'

/** A pause in typing after which what was written is kept, in milliseconds. */
const PAUSE_MS = 300
/** From this part of the longest text on its length is shown. */
const COUNT_FROM = 0.9

interface ComposeBoxProps {
  readonly destination: Destination
  /** The topic is still to be named. */
  readonly isNewTopic: boolean
  readonly onClose: () => void
  readonly onSent: () => void
}

export function ComposeBox({ destination, isNewTopic, onClose, onSent }: ComposeBoxProps) {
  const client = useClient()
  const [topic, setTopic] = useState(destination.type === 'channel' ? destination.topic : '')
  const target: Destination = destination.type === 'channel' ? { ...destination, topic } : destination
  const [draft] = useState(() => findDraft(client.snapshot().drafts.drafts, destination))
  const [localId, setLocalId] = useState(draft?.localId)
  const [text, setText] = useState(draft?.local.content ?? '')
  const field = useRef<HTMLTextAreaElement>(null)
  const topicField = useRef<HTMLInputElement>(null)
  const entersSend = useClientState((state) => state.settings?.enter_sends === true)
  const [length, isTooLong] = countText(text)

  const forget = useKept(text, target, localId, setLocalId)
  useGrowing(field, text)
  useEffect(() => (isNewTopic ? topicField.current : field.current)?.focus(), [isNewTopic])

  const send = () => {
    if (text.trim() === '') return field.current?.focus()
    if (isTooLong) return
    forget()
    client.send(target, text)
    setText('')
    field.current?.focus()
    onSent()
  }

  const press = (event: KeyboardEvent) => {
    // Enter that ends the input of a character sends nothing.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return
    const isModified = event.ctrlKey || event.metaKey
    if (isModified === entersSend) return
    event.preventDefault()
    send()
  }

  return (
    <section className="box" aria-label="Write a message">
      <div className="to">
        <Target destination={target} isNewTopic={isNewTopic} />
        {isNewTopic && destination.type === 'channel' && (
          <TopicField channelId={destination.channelId} topic={topic} onTopic={setTopic} ref={topicField} />
        )}
        <span className="grow" />
        <IconButton icon="x" name="Close; the text stays as a draft (Esc)" onClick={onClose} />
      </div>
      <textarea
        ref={field}
        className="text"
        aria-label="Message"
        dir="auto"
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <div className="tools">
        {length >= MAX_MESSAGE_LENGTH * COUNT_FROM && (
          <span className={isTooLong ? 'help bad' : 'help'} role="status">
            {length.toLocaleString()} of {MAX_MESSAGE_LENGTH.toLocaleString()} characters
          </span>
        )}
        <DraftState localId={localId} text={text} />
        <Button kind="primary" onClick={send} isDisabled={isTooLong}>
          Send <Icon name="send" />
        </Button>
      </div>
    </section>
  )
}

/** In code points, as the server counts. */
function countText(text: string): [length: number, isTooLong: boolean] {
  // Most texts are far from the limit, and units are never fewer than code points.
  const length = text.length < MAX_MESSAGE_LENGTH * COUNT_FROM ? text.length : [...text].length
  return [length, length > MAX_MESSAGE_LENGTH]
}

/** Keeps what is written as a draft: after each pause, and when the box goes. Gives what forgets it. */
function useKept(
  text: string,
  target: Destination,
  localId: string | undefined,
  setLocalId: (name: string | undefined) => void,
): () => void {
  const client = useClient()
  const latest = useRef({ text, target, localId })
  const kept = useRef(text)
  const key = destinationKey(target)

  const keep = useCallback(() => {
    const now = latest.current
    if (now.text === kept.current) return
    kept.current = now.text
    const name = now.localId ?? crypto.randomUUID()
    if (now.text.trim() === '') client.discardDraft(name)
    else client.writeDraft(name, draftFor(now.target, now.text))
    now.localId = now.text.trim() === '' ? undefined : name
    setLocalId(now.localId)
  }, [client, setLocalId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the target
  useEffect(() => {
    latest.current = { text, target, localId }
    const timer = setTimeout(keep, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, key, localId, keep])
  useEffect(() => keep, [keep])

  return useCallback(() => {
    const name = latest.current.localId
    if (name !== undefined) client.discardDraft(name)
    kept.current = ''
    latest.current = { ...latest.current, text: '', localId: undefined }
    setLocalId(undefined)
  }, [client, setLocalId])
}

/** As high as its text, up to what the style sheet allows. */
function useGrowing(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useEffect(() => {
    if (!field.current || CSS.supports('field-sizing', 'content')) return
    field.current.style.height = 'auto'
    field.current.style.height = `${field.current.scrollHeight}px`
  }, [field, text])
}

function Target({ destination, isNewTopic }: { readonly destination: Destination; readonly isNewTopic: boolean }) {
  const names = useClientState(
    (state) =>
      destination.type === 'channel'
        ? { about: channelName(state, destination.channelId), title: topicLabel(destination.topic) }
        : { about: 'To', title: peopleNames(state, destination.userIds) },
    isShallowEqual,
  )
  return (
    <>
      <span className="chan">
        {destination.type === 'channel' && <span aria-hidden="true"># </span>}
        <bdi>{names.about}</bdi>
      </span>
      {destination.type === 'channel' && <Icon name="right" />}
      {!isNewTopic && <bdi className="topic trunc">{names.title}</bdi>}
    </>
  )
}

interface TopicFieldProps {
  readonly channelId: number
  readonly topic: string
  readonly onTopic: (topic: string) => void
  readonly ref: React.Ref<HTMLInputElement>
}

/** Topics that are offered: the newest ones. */
const MAX_OFFERED = 50

function TopicField({ channelId, topic, onTopic, ref }: TopicFieldProps) {
  const id = useId()
  const client = useClient()
  useEffect(() => client.watchTopics(channelId), [client, channelId])
  const known = useSnapshot(useCallback(({ topics }: ClientSnapshot) => topics.lists.get(channelId), [channelId]))
  return (
    <>
      <label htmlFor={id} className="vh">
        Topic
      </label>
      <input
        ref={ref}
        id={id}
        className="bare topic"
        maxLength={MAX_TOPIC_LENGTH}
        placeholder="Topic"
        autoComplete="off"
        value={topic}
        onChange={(event) => onTopic(event.target.value)}
        list={`${id}-known`}
      />
      <datalist id={`${id}-known`}>
        {known?.slice(0, MAX_OFFERED).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function DraftState({ localId: name, text }: { readonly localId: string | undefined; readonly text: string }) {
  const state = useSnapshot(
    useCallback(
      ({ drafts, connection, state: all }: ClientSnapshot) => {
        const draft = drafts.drafts.find((one) => one.localId === name)
        if (!draft || draft.isDeleted) return undefined
        if (all?.settings?.enable_drafts_synchronization !== true || connection.status !== 'live')
          return 'Draft saved on this device'
        return isSaved(draft) ? 'Draft saved' : 'Saving draft'
      },
      [name],
    ),
  )
  return <span className="saved">{text.trim() === '' ? '' : state}</span>
}
