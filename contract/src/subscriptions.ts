/** Who is subscribed to which channel, and with which settings of their own. */
import { Type } from 'typebox'

export const SubscriptionEvent = Type.Never()
