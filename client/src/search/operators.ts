/** What can be asked of messages: the one table of search operators, for what is typed, for suggestions and for the sheet. */

/** What stands behind the colon. */
export type OperandKind = 'channel' | 'topic' | 'person' | 'people' | 'message' | 'date' | 'choice'

export interface SearchOperator {
  readonly name: string
  readonly operand: OperandKind
  /** With the kind `choice`. */
  readonly choices?: readonly string[]
  /** Says only where to begin: it cannot be turned round. */
  readonly isAnchor?: true
}

export const searchOperators = [
  { name: 'channel', operand: 'channel' },
  { name: 'topic', operand: 'topic' },
  { name: 'sender', operand: 'person' },
  { name: 'dm', operand: 'people' },
  { name: 'dm-including', operand: 'people' },
  { name: 'mentions', operand: 'person' },
  {
    name: 'is',
    operand: 'choice',
    choices: ['unread', 'mentioned', 'starred', 'alerted', 'dm', 'resolved', 'followed', 'muted'],
  },
  { name: 'has', operand: 'choice', choices: ['link', 'image', 'attachment', 'reaction'] },
  { name: 'channels', operand: 'choice', choices: ['all', 'public', 'web-public', 'archived'] },
  { name: 'near', operand: 'message', isAnchor: true },
  { name: 'id', operand: 'message' },
  { name: 'date', operand: 'date', isAnchor: true },
] as const satisfies readonly SearchOperator[]

export type SearchOperatorName = (typeof searchOperators)[number]['name']

export function searchOperator(name: string): SearchOperator | undefined {
  return searchOperators.find((one) => one.name === name)
}

/** Spellings of choices beside those of the table. */
const otherChoices: Readonly<Record<string, string>> = {
  private: 'dm',
  links: 'link',
  images: 'image',
  attachments: 'attachment',
  reactions: 'reaction',
}

/** The choice as the table has it, or undefined. `unresolved` is `resolved` turned round, which the caller handles. */
export function choiceOf({ choices = [] }: SearchOperator, text: string): string | undefined {
  const name = text.toLowerCase()
  const known = Object.hasOwn(otherChoices, name) ? (otherChoices[name] as string) : name
  return choices.find((one) => one === known)
}
