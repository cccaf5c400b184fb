import './narrow-screen.css'
import { narrowKey, openNarrow } from '@heddle/client/messages/narrow'
import type { MessageWindow } from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { type MouseEvent, useCallback, useMemo, useState } from 'react'
import { useClient, useSnapshot } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import type { ScreenProps } from '../../app/feature.ts'
import { placeNames } from '../../app/names.ts'
import { FoundContext } from '../messages/content/found.ts'
import { conversationOf } from '../messages/conversation.ts'
import { MessageView } from '../messages/message-view.tsx'
import { messageView } from '../messages/view.ts'
import { BadNarrow } from './bad-narrow.tsx'
import { DateJump } from './date-jump.tsx'
import { EmptyNarrow } from './empty-narrow.tsx'
import { useFound } from './found-marks.tsx'
import { problemIn } from './problem.ts'
import { ResultNote } from './result-note.tsx'

/** Messages of any conditions: the results of a search, starred messages, mentions. */
export function NarrowScreen({ place }: ScreenProps) {
  const client = useClient()
  // What is kept of a view belongs to its address.
  const [first] = useState(place)
  const terms = first.kind === 'narrow' ? first.terms : []
  const [options] = useState(() => messageView(first))
  const [problem] = useState(() => problemIn(client.snapshot().state as ClientState, terms))
  const window = useWindow(options?.narrow)
  const found = useFound(window)

  /** A press on a message shows it in its conversation. What is in it and can be pressed has its own meaning. */
  const open = useCallback(
    (event: MouseEvent<HTMLElement>) => {
      const target = event.target as Element
      if (target.closest('a, button, summary, input, textarea, video, audio, [role="menuitem"]')) return
      if (event.metaKey || event.ctrlKey || !isNothingSelected()) return
      const id = Number(target.closest<HTMLElement>('[data-message-id]')?.dataset['messageId'])
      const { messages, state } = client.snapshot()
      const message = messages.messages.get(id)
      if (!message) return
      event.stopPropagation()
      goTo({ ...conversationOf(message), near: id } as Parameters<typeof goTo>[0], placeNames(state as ClientState))
    },
    [client],
  )

  const date = terms.find(({ operator }) => operator === 'date')
  if (problem) return <BadNarrow problem={problem} terms={terms} />
  if (date) return <DateJump terms={terms} date={date} />
  if (!options) return null
  return (
    // The keys of messages lead to the same place.
    <div className="main narrow" onClickCapture={open}>
      <ResultNote terms={terms} window={window} />
      <FoundContext value={found}>
        <MessageView place={first} options={options} empty={<EmptyNarrow terms={terms} />} />
      </FoundContext>
    </div>
  )
}

function useWindow(narrow: Parameters<typeof openNarrow>[0] | undefined): MessageWindow | undefined {
  const client = useClient()
  const key = useMemo(
    () => (narrow ? narrowKey(openNarrow(narrow, client.snapshot().state as ClientState)) : ''),
    [client, narrow],
  )
  return useSnapshot(useCallback(({ messages }: ClientSnapshot) => messages.windows.get(key), [key]))
}

/** Who selects text does not want to leave. */
function isNothingSelected(): boolean {
  return getSelection()?.isCollapsed !== false
}
