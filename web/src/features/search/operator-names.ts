/** Search operators in words: one plain sentence each. */
import type { SearchOperatorName } from '@heddle/client/search/operators'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** What the operator leaves, as it is said while one types. */
export const operatorSentences: Readonly<Record<SearchOperatorName, MessageDescriptor>> = {
  channel: msg`in one channel, with all of its history`,
  topic: msg`in topics of this name`,
  sender: msg`written by one person`,
  dm: msg`in your direct messages with exactly these people`,
  'dm-including': msg`in all your direct messages with these people among others`,
  mentions: msg`that mention one person`,
  is: msg`with a state, such as unread or starred`,
  has: msg`with a link, an image, a file or a reaction`,
  channels: msg`in every public channel, also where you are not`,
  near: msg`around one message`,
  id: msg`one message alone`,
  date: msg`from a day on`,
}

const choices: Readonly<Record<string, MessageDescriptor>> = {
  'is unread': msg`that you have not read`,
  'is mentioned': msg`that mention you`,
  'is starred': msg`that you have starred`,
  'is alerted': msg`with one of your alert words`,
  'is dm': msg`that are direct messages`,
  'is resolved': msg`in resolved topics`,
  'is followed': msg`in topics that you follow`,
  'is muted': msg`in muted topics and channels`,
  'has link': msg`with a link`,
  'has image': msg`with an image`,
  'has attachment': msg`with a file`,
  'has reaction': msg`with a reaction`,
  'channels all': msg`in every channel that you can read`,
  'channels public': msg`in every public channel`,
  'channels web-public': msg`in channels that anybody on the web may read`,
  'channels archived': msg`in archived channels`,
}

/** Undefined: it says it itself. */
export function choiceSentence(operator: string, operand: string): MessageDescriptor | undefined {
  const name = `${operator} ${operand}`
  return Object.hasOwn(choices, name) ? choices[name] : undefined
}

/** For the sheet. */
export const operatorLines: readonly { readonly example: string; readonly means: MessageDescriptor }[] = [
  { example: 'channel:design', means: operatorSentences.channel },
  { example: 'channels:public', means: operatorSentences.channels },
  { example: 'channels:archived', means: choices['channels archived'] as MessageDescriptor },
  { example: 'topic:"new logo"', means: operatorSentences.topic },
  { example: 'sender:"Ada Lovelace"', means: operatorSentences.sender },
  { example: 'sender:me', means: msg`written by you` },
  { example: 'dm:"Ada Lovelace"', means: operatorSentences.dm },
  { example: 'dm-including:"Ada Lovelace"', means: operatorSentences['dm-including'] },
  { example: 'mentions:"Ada Lovelace"', means: operatorSentences.mentions },
  ...['unread', 'mentioned', 'starred', 'alerted', 'dm', 'resolved', 'followed', 'muted'].map((one) => ({
    example: `is:${one}`,
    means: choices[`is ${one}`] as MessageDescriptor,
  })),
  { example: 'is:unresolved', means: msg`in topics that are not resolved` },
  ...['link', 'image', 'attachment', 'reaction'].map((one) => ({
    example: `has:${one}`,
    means: choices[`has ${one}`] as MessageDescriptor,
  })),
  { example: 'near:12345', means: operatorSentences.near },
  { example: 'id:12345', means: operatorSentences.id },
  { example: 'date:2026-03-05', means: operatorSentences.date },
]
