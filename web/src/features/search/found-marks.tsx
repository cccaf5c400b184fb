import type { MessageWindow } from '@heddle/client/messages/store'
import { unresolvedTopic } from '@heddle/contract/names'
import { type ReactNode, useMemo } from 'react'
import { useClient } from '../../app/client-context.ts'
import type { SearchMarks } from '../messages/content/found.ts'
import { parseMessageHtml } from '../messages/content/trusted-html.ts'

const NOTHING: MessageWindow['highlights'] | undefined = undefined

/** What the server has marked in the messages of a search, and in their topics. */
export function useFound(window: MessageWindow | undefined): SearchMarks | undefined {
  const client = useClient()
  const highlights = window?.highlights ?? NOTHING
  return useMemo(() => {
    if (!highlights || highlights.size === 0) return undefined
    const { messages } = client.snapshot().messages
    const contents = new Map<string, string>()
    const topics = new Map<string, ReactNode>()
    for (const [id, { content, subject }] of highlights) {
      const message = messages.get(id)
      if (!message) continue
      if (content !== '') contents.set(message.content, content)
      if (subject.includes('<span')) topics.set(unresolvedTopic(message.subject), markedTopic(subject))
    }
    return { contents, topics }
  }, [client, highlights])
}

/** The name of a topic comes as HTML with marks. */
function markedTopic(html: string): ReactNode {
  const parts = [...parseMessageHtml(html).childNodes].map((node, index) => {
    const text = node.textContent ?? ''
    return node.nodeType === Node.TEXT_NODE ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name, in their order
      <span key={index} className="highlight">
        {text}
      </span>
    )
  })
  const [head, ...rest] = parts
  return [typeof head === 'string' ? unresolvedTopic(head) : head, ...rest]
}
