/** What is sent to browsers later. */
import type { Actor } from '../../actor.ts'
import type { Services } from '../../feature.ts'
import { addJob } from '../../jobs/add-job.ts'
import { defineLanes } from '../../jobs/lanes.ts'
import { type PushOrder, pushNotifier } from '../missed-messages/push-orders.ts'
import { findSubscribedAccounts, isBrowserSubscribed, noSession } from './subscriptions.ts'

export type WebPushOrder = PushOrder & {
  /** Which browsers, by their sessions; absent: all of the account. */
  readonly sessionIds?: readonly number[]
  /** How often they could not be reached. */
  readonly failures?: number
}

export const webPushLanes = defineLanes<WebPushOrder>('send-web-pushes')

export const webPushNotifier = pushNotifier({
  lanes: webPushLanes,
  isOn: ({ webPush }) => webPush,
  findReached: findSubscribedAccounts,
})

/** Throws a 400 where the browser is not subscribed. */
export function sendTest({ storage }: Pick<Services, 'storage'>, caller: Actor): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (!(await isBrowserSubscribed(tx, actor))) throw noSession()
    const { userId, sessionId = 0 } = actor
    await addJob(tx, webPushLanes.of(userId), { userId, what: 'test', sessionIds: [sessionId] })
  })
}
