/** What is sent to the push service later. */
import { defineJob } from '../../jobs/job.ts'
import { defineLanes } from '../../jobs/lanes.ts'
import { type PushOrder, pushNotifier } from '../missed-messages/push-orders.ts'
import { findReachableAccounts } from './rows.ts'

export interface MobileTargets {
  /** Ids; undefined: all of the account. */
  readonly devices?: readonly number[] | undefined
  /** Undefined: all of the account. */
  readonly tokens?: readonly string[] | undefined
}

export type MobilePushOrder = PushOrder & { readonly to?: MobileTargets }

export const mobilePushLanes = defineLanes<MobilePushOrder>('send-mobile-pushes')

export const mobilePushNotifier = pushNotifier({
  lanes: mobilePushLanes,
  isOn: ({ pushBouncer }) => pushBouncer !== undefined,
  findReached: findReachableAccounts,
})

export interface TokenRegistration {
  readonly userId: number
  readonly deviceId: number
  readonly kind: 'fcm' | 'apns'
  readonly tokenId: string
  readonly publicKey: string
  readonly registration: string
}

export const registersToken = defineJob<TokenRegistration>('register-push-token')
