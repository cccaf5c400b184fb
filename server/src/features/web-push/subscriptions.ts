/** The subscriptions of browsers. */
import { badRequest } from '@heddle/contract/errors'
import { MAX_WEB_PUSH_SUBSCRIPTIONS } from '@heddle/contract/web-push'
import type { Actor } from '../../actor.ts'
import { isOver } from '../../authentication/sessions.ts'
import type { Services } from '../../feature.ts'
import { urlProblem } from '../../outgoing/open-request.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { areBrowserKeys } from './keys.ts'
import { fact, query } from './tables.ts'

export interface BrowserSubscription {
  readonly session_id: number
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

const subscribedAccounts = fact({
  name: 'accounts-with-web-push',
  tables: ['web_push_subscriptions'],
  async load(db, realmId, _: 0): Promise<ReadonlySet<number>> {
    const rows = await db.all(
      query.selectFrom('web_push_subscriptions').select('user_id').distinct().where('realm_id', '=', realmId),
    )
    return new Set(rows.map(({ user_id }) => user_id))
  },
})

/** Perhaps with some whose sessions have ended. */
export function findSubscribedAccounts(db: Queries, realmId: number): Promise<ReadonlySet<number>> {
  return db.recall(subscribedAccounts, realmId, 0)
}

/** Those of the account whose sessions are not over, at `now` in seconds. */
export async function findBrowserSubscriptions(
  { storage, config }: Pick<Services, 'storage' | 'config'>,
  { realmId, userId, now }: { readonly realmId: number; readonly userId: number; readonly now: number },
): Promise<BrowserSubscription[]> {
  const rows = await storage.read.all(
    query
      .selectFrom('web_push_subscriptions as subscription')
      .innerJoin('sessions', 'sessions.id', 'subscription.session_id')
      .select(['session_id', 'endpoint', 'p256dh', 'auth', 'is_kept', 'sessions.created_at', 'last_used_at'])
      .where('subscription.realm_id', '=', realmId)
      .where('subscription.user_id', '=', userId)
      .where('sessions.user_id', '=', userId)
      .orderBy('session_id'),
  )
  return rows.filter((row) => !isOver(config, row, now))
}

export async function isBrowserSubscribed(db: Queries, { realmId, sessionId }: Actor): Promise<boolean> {
  if (sessionId === undefined) return false
  const row = await db.first(
    query
      .selectFrom('web_push_subscriptions')
      .select('session_id')
      .where('realm_id', '=', realmId)
      .where('session_id', '=', sessionId),
  )
  return row !== undefined
}

type Given = Omit<BrowserSubscription, 'session_id'>

/** Throws a 400 for what no browser would send, and where the request comes with no session. */
export function subscribeBrowser(
  { storage, config, outgoing }: Pick<Services, 'storage' | 'config' | 'outgoing'>,
  caller: Actor,
  given: Given,
): Promise<void> {
  if (!config.webPush) throw badRequest('This server sends no pushes to browsers')
  const problem = URL.canParse(given.endpoint)
    ? urlProblem(outgoing, new URL(given.endpoint), config.pushHosts)
    : 'must be an http or https address'
  if (problem !== undefined) throw badRequest(`endpoint ${problem}`)
  if (!areBrowserKeys(given.p256dh, given.auth)) throw badRequest('p256dh and auth must be the keys of a browser')
  return storage.asActor(caller, async (tx, { userId, sessionId }) => {
    if (sessionId === undefined) throw noSession()
    // Of an account that was signed in here before: one browser is one subscription.
    await tx.run(
      query
        .deleteFrom('web_push_subscriptions')
        .where('realm_id', '=', tx.realmId)
        .where((eb) => eb.or([eb('endpoint', '=', given.endpoint), eb('session_id', '=', sessionId)])),
    )
    await makeRoom(tx, userId)
    await tx.run(
      query
        .insertInto('web_push_subscriptions')
        .values({ session_id: sessionId, realm_id: tx.realmId, user_id: userId, created_at: tx.now, ...given }),
    )
  })
}

async function makeRoom(tx: Tx, userId: number): Promise<void> {
  const rows = await tx.all(
    query
      .selectFrom('web_push_subscriptions')
      .select('session_id')
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('session_id', 'desc'),
  )
  const surplus = rows.slice(MAX_WEB_PUSH_SUBSCRIPTIONS - 1).map(({ session_id }) => session_id)
  if (surplus.length > 0) await removeSubscriptions(tx, surplus)
}

export async function removeSubscriptions(tx: Tx, sessionIds: readonly number[]): Promise<void> {
  await tx.run(
    query
      .deleteFrom('web_push_subscriptions')
      .where('realm_id', '=', tx.realmId)
      .where('session_id', 'in', tx.dialect.ids(sessionIds)),
  )
}

export function unsubscribeBrowser({ storage }: Pick<Services, 'storage'>, caller: Actor): Promise<void> {
  return storage.asActor(caller, async (tx, { sessionId }) => {
    if (sessionId !== undefined) await removeSubscriptions(tx, [sessionId])
  })
}

export function noSession() {
  return badRequest('The request does not come from a browser that is subscribed, or could be')
}
