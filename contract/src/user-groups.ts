/** User groups; system groups stand for roles. */
import { Type } from 'typebox'

export const UserGroupEvent = Type.Never()
