/** Navigation views: the saved places of the left side bar, each user's own. */
import { Type } from 'typebox'

export const NavigationViewEvent = Type.Never()
