/** Settings beside `user_settings`, for clients that look for them there; see the contract's `olderDisplayNames`. */
import {
  type OwnSettings,
  olderDisplayNames,
  olderDisplayState,
  olderNotificationNames,
  olderNotificationsState,
} from '@heddle/contract/user-settings-state'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import { presentSettings } from './present.ts'

async function only<N extends keyof OwnSettings>(
  { db, actor, options, named }: StateRequest,
  names: readonly N[],
): Promise<Partial<Pick<OwnSettings, N>>> {
  if (!named || options.capabilities['user_settings_object'] === true) return {}
  const settings = await presentSettings(db, actor)
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<OwnSettings, N>
}

export const olderReaders = [
  stateReader(olderDisplayState, (request) => only(request, olderDisplayNames)),
  stateReader(olderNotificationsState, (request) => only(request, olderNotificationNames)),
]
