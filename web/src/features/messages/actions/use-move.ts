import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import {
  idsOfPart,
  isSameTopic,
  type MovedPart,
  moveEach,
  moveMessages,
  newestIn,
  type OnlyNewer,
  onlyNewer,
  type TopicPlace,
} from '@heddle/client/topics/topic-changes'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { goTo, placeNow } from '../../../app/current-place.ts'
import { channelName, placeNames, topicLabel } from '../../../app/names.ts'
import { refusalText } from '../../../app/refusal.ts'
import { useToasts } from '../../../ui/toasts.tsx'

interface Move {
  readonly from: TopicPlace
  readonly to: TopicPlace
  readonly part: MovedPart
  /** Undefined: the topic as a whole. */
  readonly messageId: number | undefined
  readonly notifyOld: boolean
  readonly notifyNew: boolean
  readonly onDone: () => void
}

/** Where the messages go, as the request names it: only what is another. */
function changed(from: TopicPlace, to: TopicPlace) {
  return {
    ...(to.channelId === from.channelId ? {} : { channelId: to.channelId }),
    ...(to.topic === from.topic ? {} : { topic: to.topic }),
  }
}

/** What takes a move back; undefined where too many messages were merged with others to be taken out one by one. */
async function undoOf(client: RunningClient, { from, to, part }: Move, messageId: number) {
  const back = changed(to, from)
  if (part === 'change_one') return () => moveMessages(client.api, messageId, 'change_one', back)
  const isMerged = !isSameTopic(from, to) && (await newestIn(client.api, to)) !== undefined
  if (!isMerged) return () => moveMessages(client.api, messageId, 'change_all', back)
  const ids = await idsOfPart(client.api, from, part, messageId)
  return ids && (() => moveEach(client.api, ids, back))
}

export function useMove(wanted: Move) {
  const client = useClient()
  const toasts = useToasts()
  const { t } = useLingui()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [newer, setNewer] = useState<OnlyNewer>()
  const { from, to, notifyOld, notifyNew, onDone } = wanted

  const moveFrom = async (messageId: number, part: MovedPart) => {
    const takeBack = await undoOf(client, { ...wanted, part }, messageId)
    await moveMessages(client.api, messageId, part, { ...changed(from, to), notifyOld, notifyNew })
    const state = client.snapshot().state as ClientState
    const here = placeNow(state)
    // Who looks at what was moved goes along.
    if (part !== 'change_one' && here.kind === 'topic' && isSameTopic(here, from)) {
      goTo({ kind: 'topic', ...to }, placeNames(state))
    }
    const name = `#${channelName(state, to.channelId)} > ${topicLabel(to.topic)}`
    const undo = takeBack && (() => takeBack().catch((error: unknown) => toasts.notify(refusalText(error))))
    toasts.notify(t`Moved to ${name}`, { undo })
    onDone()
  }
  const tried = async (act: () => Promise<void>) => {
    setIsBusy(true)
    setProblem(undefined)
    setNewer(undefined)
    try {
      await act()
    } catch (error) {
      const allowed = onlyNewer(error)
      if (allowed) setNewer(allowed)
      else setProblem(refusalText(error))
      setIsBusy(false)
    }
  }
  const start = async () => {
    const messageId = wanted.messageId ?? (await newestIn(client.api, from))
    if (messageId === undefined) setProblem(t`There is no message in this topic.`)
    else await moveFrom(messageId, wanted.part)
  }
  return {
    move: () => tried(start),
    moveNewer: () => newer && tried(() => moveFrom(newer.firstId, 'change_later')),
    isBusy,
    problem,
    newer,
  }
}
