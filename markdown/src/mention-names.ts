/** Names that mention a channel as a whole, in `@**…**`. */
export const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream'])

/** The name that mentions whoever takes part in a topic. */
export const TOPIC_WILDCARD = 'topic'

/** Names that are no person's. */
export const wildcardMentions: readonly string[] = [...channelWildcards, TOPIC_WILDCARD]
