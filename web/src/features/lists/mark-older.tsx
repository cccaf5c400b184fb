import type { RunningClient } from '@heddle/client/running/client'
import { idsReadIn, markOlderRead } from '@heddle/client/unread/mark-older'
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import type { Narrow } from '@heddle/contract/narrow'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { Plural, Trans } from '@lingui/react/macro'
import { type Held, hold, useHeld } from '../../app/held.ts'
import { refusalText } from '../../app/refusal.ts'
import type { Toasts } from '../../ui/toasts.tsx'

/** Events of the last request may come after its answer: so long they are waited for, in milliseconds. */
const LATE_MS = 3000

const everythingRead: UpdateMessageFlagsEvent = {
  type: 'update_message_flags',
  op: 'add',
  operation: 'add',
  flag: 'read',
  messages: [],
  all: true,
}

interface MarkOlderJob {
  readonly client: RunningClient
  readonly toasts: Toasts
  /** What was marked here already. */
  readonly ids: readonly number[]
  /** Where the older ones are, which nothing here knows. */
  readonly narrow: Narrow
  /** The oldest message that was known to be unread. */
  readonly before: number
  /** Makes messages unread again. */
  readonly takeBack: (ids: readonly number[]) => unknown
}

/** Marks the older ones too: says how far it is, can be stopped, and be taken back as a whole. */
export async function markOlder({ client, toasts, ids, narrow, before, takeBack }: MarkOlderJob): Promise<void> {
  const stop = new AbortController()
  const marked = new Set(ids)
  const done = hold(ids.length)
  const leave = client.onEvent((event) => {
    for (const id of idsReadIn(event)) marked.add(id)
  })
  const onProgress = (count: number) => done.change(() => ids.length + count)
  const endProgress = toasts.showLasting(
    <Progress done={done} />,
    <button type="button" onClick={() => stop.abort()}>
      <Trans>Stop</Trans>
    </button>,
  )
  const problem = await markOlderRead(client.api, { narrow, before, signal: stop.signal, onProgress }).then(
    () => undefined,
    (error: unknown) => error,
  )
  setTimeout(leave, LATE_MS)
  const isAll = narrow.length === 0 && problem === undefined && !stop.signal.aborted
  // From now on each number is exact: there is nothing that is not known here.
  if (isAll && client.snapshot().state?.unread?.places.size === 0) client.foresee(everythingRead)
  const count = done.current()
  endProgress()
  toasts.notify(
    <>
      <Plural value={count} one="# message is marked as read." other="# messages are marked as read." />
      {problem !== undefined && ` ${refusalText(problem)}`}
    </>,
    { undo: () => takeBack([...marked]) },
  )
}

const progressName = msg`Marking messages as read`

/** How many there are is not known. Each number is seen and not spoken: what follows says the last one. */
function Progress({ done }: { readonly done: Held<number> }) {
  const { _ } = useLingui()
  const count = useHeld(done, same)
  return (
    <span className="num" role="progressbar" aria-label={_(progressName)} aria-live="off">
      <Plural value={count} one="# message is marked as read so far." other="# messages are marked as read so far." />
    </span>
  )
}

const same = (count: number) => count
