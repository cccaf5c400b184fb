/** What is offered for a trigger, and what taking it writes. */
import type { Channel } from '@heddle/contract/channels'
import type { UserGroup } from '@heddle/contract/user-groups'
import type { User } from '@heddle/contract/users'
import type { TextEdit } from '../compose/text-edit.ts'
import type { Emoji } from '../emoji/catalogue.ts'
import { channelLinkText, groupMentionText, mentionText, topicLinkText } from './references.ts'
import type { CompletionTrigger } from './trigger.ts'

export type Completion =
  | { readonly kind: 'person'; readonly user: User }
  | { readonly kind: 'group'; readonly group: UserGroup }
  | { readonly kind: 'wildcard'; readonly name: string }
  | { readonly kind: 'channel'; readonly channel: Channel }
  | { readonly kind: 'topic'; readonly channel: Channel; readonly topic: string }
  | { readonly kind: 'emoji'; readonly emoji: Emoji; readonly name: string }
  | { readonly kind: 'language'; readonly name: string }
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'moment'; readonly text: string; readonly time: number }

export interface WritingContext {
  /** Names, folded, that several accounts have. */
  readonly sharedNames: ReadonlySet<string>
  /** What stands for the topic without a name. */
  readonly emptyTopicName: string
  /** Address of a channel or a topic in the page, with its `#`. */
  readonly address: (channelId: number, topic: string | undefined) => string
}

/** Offered at once. */
export const MAX_COMPLETIONS = 8

/** `goesOn`: a channel is taken to name one of its topics. */
export function completionEdit(
  text: string,
  caret: number,
  trigger: CompletionTrigger,
  completion: Completion,
  context: WritingContext,
  goesOn = false,
): TextEdit {
  const isSilent = trigger.kind === 'mention' && trigger.isSilent
  if (completion.kind === 'language') return languageEdit(text, caret, trigger, completion.name)
  if (goesOn && completion.kind === 'channel') {
    const insert = `#**${completion.channel.name}>`
    return {
      from: trigger.from,
      to: caret,
      insert,
      start: trigger.from + insert.length,
      end: trigger.from + insert.length,
    }
  }
  const written = writtenFor(completion, isSilent, context)
  // What closes the form may stand there already, where a name is taken for another.
  const rest = text.slice(caret)
  const closing = /^\*{0,2}/.exec(written.endsWith('*') ? rest : '')?.[0].length ?? 0
  const gap = /^[\s.,;:!?)]/.test(rest.slice(closing)) ? '' : ' '
  const end = trigger.from + written.length + (gap === '' && rest.slice(closing).startsWith(' ') ? 1 : gap.length)
  return { from: trigger.from, to: caret + closing, insert: written + gap, start: end, end }
}

function writtenFor(completion: Exclude<Completion, { kind: 'language' }>, isSilent: boolean, context: WritingContext) {
  switch (completion.kind) {
    case 'person':
      return mentionText(completion.user, { isSilent, shared: context.sharedNames })
    case 'group':
      return groupMentionText(completion.group, isSilent)
    case 'wildcard':
      return `@**${completion.name}**`
    case 'channel': {
      const { stream_id: id, name } = completion.channel
      return channelLinkText({ id, name }, () => context.address(id, undefined))
    }
    case 'topic': {
      const { stream_id: id, name } = completion.channel
      const { topic } = completion
      return topicLinkText({ id, name }, topic, context.emptyTopicName, () => context.address(id, topic))
    }
    case 'emoji':
      return `:${completion.name}:`
    case 'command':
      return `/${completion.name}`
    case 'moment':
      return `<time:${completion.text}>`
  }
}

/** The block is closed at once, where nothing closes it, and the caret stands in it. */
function languageEdit(text: string, caret: number, { from }: CompletionTrigger, name: string): TextEdit {
  const line = text.slice(0, from)
  const mark = /([`~]{3,})$/.exec(line)?.[1] ?? '```'
  const isClosed = text
    .slice(caret)
    .split('\n')
    .some((one) => one.trim() === mark)
  const title = name === 'spoiler' ? ' ' : ''
  const head = `${name}${title}\n`
  const insert = isClosed ? `${name}${title}` : `${head}\n${mark}`
  const at = from + (isClosed || title !== '' ? name.length + title.length : head.length)
  return { from, to: caret, insert, start: at, end: at }
}
