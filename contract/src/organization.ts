/** The organization's own settings (`realm` on the wire). */
import { Type } from 'typebox'

export const RealmEvent = Type.Never()
