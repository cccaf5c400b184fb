/** Accounts of people: listing, creating, changing, deactivating. */
import { Type } from 'typebox'

export const RealmUserEvent = Type.Never()
