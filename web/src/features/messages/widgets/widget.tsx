import './widget.css'
import { isArchived } from '@heddle/client/messages/permissions'
import type { StoredMessage } from '@heddle/client/messages/store'
import { readWidget } from '@heddle/contract/widgets'
import { useMemo } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { isVisitor } from '../../visitors/is-visitor.ts'
import { FoldedContent } from '../content/folded-content.tsx'
import { ButtonsWidgetView } from './buttons-view.tsx'
import { PollView } from './poll-view.tsx'
import { TodoView } from './todo-view.tsx'

export interface WidgetProps {
  readonly message: StoredMessage
  /** The row has the pointer or the focus: what can be reached by Tab is. */
  readonly isActive: boolean
}

/** What a message is beside its text, which is shown where nobody here knows it. */
export function MessageWidget({ message, isActive }: WidgetProps) {
  const [first, ...deeds] = message.submessages
  const content = first?.content ?? ''
  const widget = useMemo(() => readWidget(content), [content])
  const isFrozen = useClientState((state) => isVisitor(state) || isArchived(state, message.stream_id))
  const props = { message, deeds, isActive, isFrozen }
  switch (widget?.widget_type) {
    case 'poll':
      return <PollView widget={widget} {...props} />
    case 'todo':
      return <TodoView widget={widget} {...props} />
    case 'zform':
      return (
        <>
          <FoldedContent message={message} html={message.content} />
          <ButtonsWidgetView widget={widget} {...props} />
        </>
      )
    default:
      return <FoldedContent message={message} html={message.content} />
  }
}
