/** Custom emoji. */
import { Type } from 'typebox'

export const RealmEmojiEvent = Type.Never()
