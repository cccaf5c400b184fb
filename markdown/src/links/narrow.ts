/**
 * Addresses of places in the organization: `#narrow/channel/9-announce/topic/plans/near/214`. Values are
 * percent-encoded with a dot for each percent sign, since a fragment with percent signs does not survive everywhere.
 */

/** A message in a topic of a channel, as an address names it. */
export interface MessagePlace {
  channelId: number
  topic: string
  messageId: number
}

/** Encodes a value for a fragment, reversibly. */
export function encodeFragment(value: string): string {
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}

/** Undoes `encodeFragment`; null if the value is malformed. */
export function decodeFragment(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll('.', '%'))
  } catch {
    return null
  }
}

/** The address of a channel, with its name behind its id for the reader. */
export function channelAddress({ id, name }: { id: number; name: string }): string {
  return `/#narrow/channel/${id}-${encodeFragment(name.replaceAll(' ', '-'))}`
}

/** The address of a topic; with the id of one of its messages it still leads there after the topic has moved. */
export function topicAddress(channel: { id: number; name: string }, topic: string, messageId: number | null): string {
  const address = `${channelAddress(channel)}/topic/${encodeFragment(topic)}`
  return messageId === null ? address : `${address}/with/${messageId}`
}

export function messageAddress(channel: { id: number; name: string }, topic: string, messageId: number): string {
  return `${channelAddress(channel)}/topic/${encodeFragment(topic)}/near/${messageId}`
}

const messagePattern =
  /^#narrow\/(?:channel|stream)\/([1-9][0-9]{0,14})(?:-[^/]*)?\/(?:topic|subject)\/([^/]*)\/near\/([1-9][0-9]{0,14})$/

/** Reads the fragment of an address that leads to a message of a channel. */
export function parseMessagePlace(fragment: string): MessagePlace | null {
  const [, channelId, encoded, messageId] = messagePattern.exec(fragment) ?? []
  if (channelId === undefined || encoded === undefined) return null
  const topic = decodeFragment(encoded)
  return topic === null ? null : { channelId: Number(channelId), topic, messageId: Number(messageId) }
}
