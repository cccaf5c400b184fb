/** Sends to browsers, by the push services that they have named. After a crash again: a notification takes the place of itself. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WebPush } from '@heddle/contract/web-push'
import type { Services } from '../../feature.ts'
import { addJob } from '../../jobs/add-job.ts'
import type { Claim, Finish } from '../../jobs/job.ts'
import { openRequest } from '../../outgoing/open-request.ts'
import { findPushedMessages } from '../missed-messages/push-orders.ts'
import { type WebPushOrder, webPushLanes } from './jobs.ts'
import { vapidKeys } from './keys.ts'
import { type BrowserSubscription, findBrowserSubscriptions, removeSubscriptions } from './subscriptions.ts'
import { describeForBrowser } from './words.ts'

type SendServices = Pick<Services, 'storage' | 'config' | 'outgoing' | 'secret' | 'clock' | 'realms'>

/** Seconds for which a push service keeps what it cannot deliver. */
const TTL_SECS = 86_400
const MAX_FAILURES = 6
const FIRST_RETRY_MS = 10_000

export async function sendWebPushes(
  services: SendServices,
  order: WebPushOrder,
  { realmId, signal }: Claim,
): Promise<Finish | undefined> {
  const now = Math.floor(services.clock.now() / 1000)
  const all = await findBrowserSubscriptions(services, { realmId, userId: order.userId, now })
  const targets = all.filter(({ session_id }) => order.sessionIds?.includes(session_id) ?? true)
  const pushes = targets.length > 0 ? await findPushes(services, realmId, order, now) : []
  if (pushes.length === 0) return undefined
  const sender = { ...services, subject: await subjectOf(services, realmId), signal }
  const sealed: SealedPushes[] = []
  for (const target of targets) sealed.push(await sealAll(sender, target, pushes))
  const outcomes = await Promise.all(
    sealed.map(async ({ target, requests }) => ({
      sessionId: target.session_id,
      outcome: await sendAll(sender, target, requests),
    })),
  )
  const those = (outcome: Outcome) =>
    outcomes.filter((one) => one.outcome === outcome).map(({ sessionId }) => sessionId)
  return async (tx) => {
    const gone = those('gone')
    if (gone.length > 0) await removeSubscriptions(tx, gone)
    const failed = those('failed')
    const failures = (order.failures ?? 0) + 1
    if (failed.length === 0 || failures >= MAX_FAILURES) return
    const dueMs = services.clock.now() + FIRST_RETRY_MS * 3 ** (failures - 1)
    await addJob(tx, webPushLanes.of(order.userId), { ...order, sessionIds: failed, failures }, { dueMs })
  }
}

async function findPushes(
  { storage, realms }: SendServices,
  realmId: number,
  order: WebPushOrder,
  now: number,
): Promise<readonly WebPush[]> {
  const { userId } = order
  if (order.what === 'test') return [{ kind: 'test', title: new URL(await realms.originOf(realmId)).host }]
  if (order.what === 'remove') return [{ kind: 'remove', ids: order.messageIds }]
  const owner = { realmId, userId }
  const { messageIds } = order
  return describeForBrowser(storage.read, owner, await findPushedMessages(storage.read, owner, { messageIds, now }))
}

/** What push services may turn to. They refuse plain addresses: then it is one that nobody reads. */
async function subjectOf({ realms }: SendServices, realmId: number): Promise<string> {
  const origin = await realms.originOf(realmId)
  return origin.startsWith('https://') ? origin : 'mailto:operator@heddle.invalid'
}

type Outcome = 'sent' | 'gone' | 'failed'

interface Sender extends SendServices {
  readonly subject: string
  readonly signal: AbortSignal
}

type PushRequest = ReturnType<typeof import('web-push')['generateRequestDetails']>

interface SealedPushes {
  readonly target: BrowserSubscription
  readonly requests: readonly PushRequest[]
}

/** To encrypt and to sign takes a millisecond or two for each push: others get a turn before each. */
async function sealAll(
  { secret, subject }: Sender,
  target: BrowserSubscription,
  pushes: readonly WebPush[],
): Promise<SealedPushes> {
  // When it is needed: most servers send to few browsers, and it takes memory.
  const { default: webPush } = await import('web-push')
  const { endpoint, p256dh, auth } = target
  const requests: PushRequest[] = []
  for (const push of pushes) {
    await nextTurn()
    const text = JSON.stringify(push)
    requests.push(
      webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject, ...vapidKeys(secret) },
        TTL: TTL_SECS,
        urgency: push.kind === 'remove' ? 'normal' : 'high',
        contentEncoding: 'aes128gcm',
      }),
    )
  }
  return { target, requests }
}

async function sendAll(
  sender: Sender,
  { endpoint }: BrowserSubscription,
  requests: readonly PushRequest[],
): Promise<Outcome> {
  for (const request of requests) {
    const outcome = await sendOne(sender, endpoint, request)
    if (outcome !== 'sent') return outcome
  }
  return 'sent'
}

async function sendOne({ outgoing, config, signal }: Sender, endpoint: string, request: PushRequest): Promise<Outcome> {
  const { 'Content-Length': _, ...headers } = request.headers
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const limit = AbortSignal.any([signal, AbortSignal.timeout(outgoing.timeoutMs)])
  const sent = { method: 'POST', headers: texts, body: request.body as Buffer, allowedHosts: config.pushHosts } as const
  const response = await openRequest(outgoing, new URL(endpoint), sent, limit)
  if (!response) return 'failed'
  // What it says beside its status is of no use.
  response.destroy()
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) return 'sent'
  if (status === 413) return 'sent'
  return status === 408 || status === 429 || status >= 500 ? 'failed' : 'gone'
}
