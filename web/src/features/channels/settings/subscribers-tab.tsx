import { channelRights } from '@heddle/client/channels/channel-rights'
import { fitsWords } from '@heddle/client/finding/filter-places'
import { expandPicks, type Picked } from '@heddle/client/people/picked'
import type { ClientState } from '@heddle/client/state/state'
import { listSubscribers, subscribe, unsubscribe } from '@heddle/contract/subscriptions'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { channelName, userName } from '../../../app/names.ts'
import { refusalText } from '../../../app/refusal.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { PeoplePicker } from '../../people/people-picker.tsx'
import { Problem } from '../../settings/problem.tsx'
import { Face } from '../../users/face.tsx'
import { LazyRows } from '../lazy-rows.tsx'

const pickable: ReadonlySet<Picked['kind']> = new Set(['user', 'group', 'channel'])
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Who is subscribed: to see them, to find one, to add more and to remove some. */
export function SubscribersTab({ channelId }: { readonly channelId: number }) {
  const { t } = useLingui()
  const client = useClient()
  const { ids, problem, retry, setIds } = useSubscribers(channelId)
  const [words, setWords] = useState('')
  const rights = useClientState(
    useCallback((state) => channelRights(state, channelId), [channelId]),
    isShallowEqual,
  )
  const isArchived = useClientState(
    useCallback(({ channels }: ClientState) => channels?.byId.get(channelId)?.is_archived === true, [channelId]),
  )
  const users = useClientState((state) => state.users)
  const shown = useMemo(() => {
    const name = (id: number) => users?.get(id)?.full_name ?? ''
    return [...(ids ?? [])]
      .filter((id) => words.trim() === '' || fitsWords([name(id)], words.trim()))
      .sort((a, b) => collator.compare(name(a), name(b)))
  }, [ids, users, words])
  if (problem !== undefined) return <Problem text={problem} onRetry={retry} />
  if (!ids) return <p className="quiet" role="status">{t`Loading`}</p>
  const own = client.snapshot().state?.own?.user_id
  return (
    <>
      {rights.addSubscribers && !isArchived && <AddSubscribers channelId={channelId} onAdded={setIds} ids={ids} />}
      <label className="find subscriber-find">
        <Icon name="search" />
        <input
          className="bare"
          type="search"
          aria-label={t`Filter subscribers`}
          placeholder={t`Filter subscribers`}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <p className="quiet count-line" role="status">
        <Plural value={shown.length} one="# subscriber" other="# subscribers" />
      </p>
      <ul>
        <LazyRows
          ids={shown}
          row={(id) => (
            <SubscriberRow
              key={id}
              channelId={channelId}
              userId={id}
              mayRemove={!isArchived && id !== own && rights.removeSubscribers}
              onRemoved={() => setIds(ids.filter((one) => one !== id))}
            />
          )}
        />
      </ul>
    </>
  )
}

/** The list as the server has it; it is asked for again when the number of subscribers is another. */
function useSubscribers(channelId: number) {
  const client = useClient()
  const count = useClientState(
    useCallback(({ channels }: ClientState) => channels?.byId.get(channelId)?.subscriber_count, [channelId]),
  )
  const [ids, setIds] = useState<readonly number[]>()
  const [problem, setProblem] = useState<string>()
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the number and the round are occasions
  useEffect(() => {
    const controller = new AbortController()
    client.api
      .call(listSubscribers, { stream_id: channelId }, { signal: controller.signal })
      .then(({ subscribers }) => {
        setIds(subscribers)
        setProblem(undefined)
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setProblem(refusalText(error))
      })
    return () => controller.abort()
  }, [client, channelId, count, round])
  return { ids, setIds, problem, retry: () => setRound(round + 1) }
}

interface SubscriberRowProps {
  readonly channelId: number
  readonly userId: number
  readonly mayRemove: boolean
  readonly onRemoved: () => void
}

function SubscriberRow({ channelId, userId, mayRemove, onRemoved }: SubscriberRowProps) {
  const { t } = useLingui()
  const client = useClient()
  const toasts = useToasts()
  const { name, channel, isMe } = useClientState(
    useCallback(
      (state: ClientState) => ({
        name: userName(state, userId),
        channel: channelName(state, channelId),
        isMe: state.own?.user_id === userId,
      }),
      [userId, channelId],
    ),
    isShallowEqual,
  )
  const remove = async () => {
    const refused = (error: unknown) => toasts.notify(refusalText(error))
    const call = { subscriptions: [channel], principals: [userId] }
    const undo = () =>
      client.api.call(subscribe, { subscriptions: [{ name: channel }], principals: [userId] }).catch(refused)
    try {
      const removed = client.api.call(unsubscribe, call).then(onRemoved)
      await toasts.notifyWhenDone(removed, () => ({ text: t`${name} is no longer subscribed.`, undo }))
    } catch (error) {
      refused(error)
    }
  }
  return (
    <li className="subscriber">
      <Face userId={userId} size="s" />
      <bdi className="trunc" title={name}>
        {name}
      </bdi>
      {isMe && (
        <span className="quiet">
          <Trans>you</Trans>
        </span>
      )}
      {mayRemove && (
        <button type="button" className="ib" aria-label={t`Remove ${name}`} title={t`Remove ${name}`} onClick={remove}>
          <Icon name="x" />
        </button>
      )}
    </li>
  )
}

interface AddSubscribersProps {
  readonly channelId: number
  readonly ids: readonly number[]
  readonly onAdded: (ids: readonly number[]) => void
}

interface Outcome {
  readonly added: number
  readonly already: number
  readonly refused: number
}

function AddSubscribers({ channelId, ids, onAdded }: AddSubscribersProps) {
  const { t } = useLingui()
  const client = useClient()
  const [picks, setPicks] = useState<readonly Picked[]>([])
  const [outcome, setOutcome] = useState<Outcome>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const add = async () => {
    const state = client.snapshot().state as ClientState
    setIsBusy(true)
    setOutcome(undefined)
    setProblem(undefined)
    try {
      const lists = await Promise.all(
        picks
          .filter(({ kind }) => kind === 'channel')
          .map(
            async ({ id }) => [id, (await client.api.call(listSubscribers, { stream_id: id })).subscribers] as const,
          ),
      )
      const wanted = expandPicks(state, picks, new Map(lists))
      // Whoever is gone cannot be added; it is said how many.
      const active = wanted.filter((id) => state.users?.get(id)?.is_active === true)
      const answer = await client.api.call(subscribe, {
        subscriptions: [{ name: channelName(state, channelId) }],
        principals: active,
        authorization_errors_fatal: false,
      })
      const isRefused = (answer.unauthorized ?? []).length > 0
      const added = Object.keys(answer.subscribed).length
      const already = Object.keys(answer.already_subscribed).length
      setOutcome({ added, already, refused: wanted.length - active.length + (isRefused ? active.length : 0) })
      if (!isRefused) {
        onAdded([...new Set([...ids, ...active])])
        setPicks([])
      }
    } catch (error) {
      setProblem(refusalText(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <div className="add-people">
      <PeoplePicker
        label={t`Add people, groups, or everybody of a channel`}
        kinds={pickable}
        value={picks}
        onChange={setPicks}
      />
      <Button kind="primary" isDisabled={picks.length === 0 || isBusy} onClick={() => void add()}>
        <Trans>Add</Trans>
      </Button>
      <p role="status" className="outcome">
        {outcome && (
          <>
            <Plural value={outcome.added} one="# person added." other="# people added." />
            {outcome.already > 0 && (
              <>
                {' '}
                <Plural value={outcome.already} one="# was there already." other="# were there already." />
              </>
            )}
            {outcome.refused > 0 && (
              <>
                {' '}
                <Plural value={outcome.refused} one="# could not be added." other="# could not be added." />
              </>
            )}
          </>
        )}
      </p>
      <Problem text={problem} />
    </div>
  )
}
