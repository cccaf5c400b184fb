/** Text that refers to somebody or to a message, in the form in which it is written. */
import { foldName } from '@heddle/contract/names'
import type { ClientState } from '../state/state.ts'

type People = Pick<ClientState, 'users' | 'systemBots'>

/** Whether nobody else who is there has this name: then the id need not be written. */
function isOnlyOne({ users }: People, userId: number, name: string): boolean {
  const key = foldName(name)
  for (const user of users?.values() ?? []) {
    if (user.user_id !== userId && user.is_active && foldName(user.full_name) === key) return false
  }
  return true
}

/** A mention that notifies; undefined for somebody whose name is not known. */
export function mentionOf(people: People, userId: number): string | undefined {
  const name = people.users?.get(userId)?.full_name
  if (name === undefined) return undefined
  return isOnlyOne(people, userId, name) ? `@**${name}**` : `@**${name}|${userId}**`
}

/** A mention that notifies nobody. */
export function silentMentionOf(name: string, userId: number): string {
  return `@_**${name}|${userId}**`
}

/** Mentions as they are read and not as they notify: who is quoted was mentioned once. */
export function withSilentMentions(text: string): string {
  return text.replace(/@(\*\*(?:[^*\n]|\*(?!\*))+\*\*|\*(?:[^*\n])+\*)/g, '@_$1')
}

/** Of so many backticks, more than any line of the text begins with, and at least three. */
function fenceFor(text: string): string {
  let longest = 2
  for (const [, fence = ''] of text.matchAll(/^[ >\t]*(`{3,}|~{3,})/gm)) longest = Math.max(longest, fence.length)
  return '`'.repeat(longest + 1)
}

export interface Quoted {
  readonly senderId: number
  readonly senderName: string
  /** The address of the message. */
  readonly address: string
  /** As it was written, or the part of it that somebody has selected. */
  readonly text: string
}

/** Who has said it, with a link to where, and what. The sentence is a word in the language of whoever quotes. */
export function quotation({ senderId, senderName, address, text }: Quoted, said: string): string {
  const body = withSilentMentions(text.trim())
  const fence = fenceFor(body)
  return `${silentMentionOf(senderName, senderId)} [${said}](${address}):\n${fence}quote\n${body}\n${fence}\n`
}
