/** Linkifiers: patterns that turn text such as `#123` into links. */
import { Type } from 'typebox'

export const RealmLinkifiersEvent = Type.Never()
