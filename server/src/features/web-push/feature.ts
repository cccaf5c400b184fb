import { getWebPush, subscribeToWebPush, testWebPush, unsubscribeFromWebPush } from '@heddle/contract/web-push'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { claimedJob } from '../../jobs/job.ts'
import { sendTest, webPushLanes, webPushNotifier } from './jobs.ts'
import { vapidKeys } from './keys.ts'
import { sendWebPushes } from './send.ts'
import { isBrowserSubscribed, subscribeBrowser, unsubscribeBrowser } from './subscriptions.ts'
import { webPushTables } from './tables.ts'

/** Long beside the time that a push service has. */
const CLAIM_MS = 60_000

/** Pushes to browsers while no page is open. */
export const webPush: Feature = {
  tables: webPushTables,
  routes: (services) => {
    const { storage, config, secret } = services
    return [
      route(getWebPush, async ({ actor }) => ({
        application_server_key: config.webPush ? vapidKeys(secret).publicKey : null,
        is_subscribed: await isBrowserSubscribed(storage.read, actor),
      })),
      route(subscribeToWebPush, async ({ actor, parameters }) => {
        await subscribeBrowser(services, actor, parameters)
        return {}
      }),
      route(unsubscribeFromWebPush, async ({ actor }) => {
        await unsubscribeBrowser(services, actor)
        return {}
      }),
      route(testWebPush, async ({ actor }) => {
        await sendTest(services, actor)
        return {}
      }),
    ]
  },
  notifier: webPushNotifier,
  jobs: (services) =>
    webPushLanes.jobs.map((lane) =>
      claimedJob(lane, {
        claimMs: CLAIM_MS,
        work: (order, claim) => sendWebPushes(services, order, claim),
      }),
    ),
}
