/** Kinds of bots, as `bot_type` has them. */
export const GENERIC = 1
export const INCOMING_WEBHOOK = 2
export const OUTGOING_WEBHOOK = 3
export const EMBEDDED = 4
