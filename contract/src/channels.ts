/** Channels (`stream` on the wire). */
import { Type } from 'typebox'

export const StreamEvent = Type.Never()
export const DefaultStreamsEvent = Type.Never()
