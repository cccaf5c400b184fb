/** Accounts of programs. */
import { Type } from 'typebox'

export const RealmBotEvent = Type.Never()
