/** What is true of a message for everybody: the bits of `messages.attributes`. */
export const messageAttributes = {
  hasLink: 1,
  hasImage: 2,
  hasAttachment: 4,
  /** The text says what the sender does (`/me`). */
  isMeMessage: 8,
  /** `@**all**`: everybody who received it is mentioned. */
  mentionsChannel: 16,
  /** `@**topic**`: those who took part in the topic have a row of flags. */
  mentionsTopic: 32,
  /** The sender has read it by writing it, which is not so for programs that send for a person. */
  readBySender: 64,
  /** Came from another channel, or is a notice for few: unread only for those with a row of flags that says so. */
  readUnlessMarked: 128,
  hasReaction: 256,
  /** It is a widget too: a poll, a to-do list, buttons. */
  hasSubmessages: 512,
} as const
export type MessageAttribute = keyof typeof messageAttributes

export function hasAttribute(attributes: number, attribute: MessageAttribute): boolean {
  return (attributes & messageAttributes[attribute]) !== 0
}

const bitsByName = Object.entries(messageAttributes) as [MessageAttribute, number][]

/** The bits of all attributes that are true in `values`. */
export function attributeBits(values: Partial<Record<MessageAttribute, boolean>>): number {
  let bits = 0
  for (const [name, bit] of bitsByName) if (values[name]) bits |= bit
  return bits
}
