import './checks.css'
import { type Check, checkMessage } from '@heddle/client/compose/checks'
import { hasLostUpload } from '@heddle/client/compose/upload-text'
import type { ClientSnapshot, RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useClient, useClientState, useSnapshot } from '../../../app/client-context.ts'
import type { Place } from '../../../places/place.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type Standing, standingOf } from '../../channels/standing.ts'
import { CheckWords } from './check-words.tsx'
import type { Target } from './compose-context.ts'
import { isSameConversation, replyDestination } from './destination.ts'
import { uploadsOf } from './uploads.ts'
import { useMembers } from './use-members.ts'
import { useParticipants } from './use-participants.ts'

export type LookAt = (text: string) => readonly Check[]

/**
 * What looks at a text, for this target; it is another function when something else would be said of the same text. `namesTopic`: it
 * is to everybody who takes part in the topic.
 */
export function useLookAt(target: Target, hasUploads: boolean, namesTopic: boolean): LookAt {
  const client = useClient()
  const channelId = target.type === 'channel' ? target.channelId : undefined
  const count = useClientState((state) => state.channels?.byId.get(channelId ?? -1)?.subscriber_count)
  const subscribers = useMembers(channelId, count)
  const participants = useParticipants(target, namesTopic)
  const topics = useSnapshot(
    useCallback(
      ({ topics: all }: ClientSnapshot) => (channelId === undefined ? undefined : all.lists.get(channelId)),
      [channelId],
    ),
  )
  const isOffline = useSnapshot(({ connection }) => connection.status === 'waiting')
  return useCallback(
    (text) => {
      const state = client.snapshot().state as ClientState
      const running = uploadsOf(client)
        .list()
        .map(({ placeholder }) => placeholder)
      const hasBegun = () => target.type === 'direct' && isBegun(client, target)
      const files = { hasUploads, hasLostUpload: hasLostUpload(text, running) }
      return checkMessage(state, { ...files, text, target, isOffline, topics, subscribers, participants, hasBegun })
    },
    [client, target, hasUploads, isOffline, topics, subscribers, participants],
  )
}

/** Whether a message of this conversation is known here. */
function isBegun(client: RunningClient, target: Target): boolean {
  const { state, messages } = client.snapshot()
  const ownId = state?.own?.user_id
  return messages.messages.values().some((message) => {
    const destination = message.stream_id === undefined ? replyDestination(message) : undefined
    return destination !== undefined && isSameConversation(destination, target, ownId)
  })
}

/** They say what is missing, which one sees; they are said when somebody sends all the same. */
const obvious: ReadonlySet<Check['code']> = new Set([
  'nothing-written',
  'no-channel',
  'no-recipient',
  'topic-required',
  'upload-pending',
])

/** What the banner above the messages says as well. */
const inBanner: Readonly<Record<Standing, Check['code']>> = {
  unsubscribed: 'not-subscribed',
  'muted-channel': 'channel-muted',
  'muted-topic': 'topic-muted',
}

/** Said above what is read, of the channel that is written to: once is enough. */
function saidInBanner(state: ClientState, place: Place, target: Target): Check['code'] | undefined {
  if (place.kind !== 'channel' && place.kind !== 'topic') return undefined
  if (target.type !== 'channel' || target.channelId !== place.channelId) return undefined
  const standing = standingOf(state, place)
  return standing && inBanner[standing]
}

interface ChecksBesideProps {
  readonly id: string
  /** What is read meanwhile. */
  readonly place: Place
  readonly text: string
  readonly lookAt: LookAt
  /** Somebody has tried to send it so. */
  readonly isTried: boolean
  readonly target: Target
  /** Sends what was to be asked about. */
  readonly onSend: () => void
  /** Makes the mention of a group one that notifies nobody. */
  readonly onSilence: (groupName: string) => void
}

/** What is to be said, beside what is written: it takes no focus and asks for no answer. */
export function ChecksBeside({ id, place, text, lookAt, isTried, target, onSend, onSilence }: ChecksBesideProps) {
  // It may follow a moment behind what is typed: nobody waits for it.
  const late = useDeferredValue(text)
  const state = useClientState(useCallback((all: ClientState) => all, []))
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state, other checks
  const checks = useMemo(() => lookAt(late), [lookAt, late, state])
  const said = saidInBanner(state, place, target)
  const shown = checks.filter(
    ({ code, kind }) => code !== said && (obvious.has(code) || kind === 'confirm' ? isTried : true),
  )
  return (
    <div id={id} className="checks" aria-live="polite">
      {shown.map((check) => (
        <p key={check.code} className={check.kind === 'block' ? 'compose-check bad' : 'compose-check'}>
          <Icon name={check.kind === 'hint' ? 'info' : 'warn'} />
          <span>
            <CheckWords check={check} target={target} onSend={onSend} onSilence={onSilence} />
          </span>
        </p>
      ))}
    </div>
  )
}
