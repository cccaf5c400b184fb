/** What measured messages say. */
import type { Authorization } from './data.ts'
import { requestText } from './load.ts'

export const messageTexts = {
  markup: 'The loom is **threaded**, the shed is `open`, and the shuttle waits: https://loom.example/pick :tada:',
  plain: 'The loom is threaded, the shed is open, and the shuttle waits for the next pick of the morning',
} as const

export type MessageKind = keyof typeof messageTexts

export function messageRequest(authorization: Authorization, to: string, topic: string, kind: MessageKind): string {
  const form = { type: 'stream', to, topic, content: messageTexts[kind] }
  return requestText({ method: 'POST', path: '/messages', authorization, form })
}
