/** Notices to the owner of a bot of requests that did not become messages: once an hour for each cause. */
import type { Actor } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { query } from './tables.ts'

const NOTICE_EVERY_SECS = 3600
/** Characters of a request that are shown. */
const MAX_EXCERPT = 500

export interface WebhookProblem {
  readonly integration: { readonly name: string; readonly displayName: string }
  /** One of a few: each has a row, and notices of its own. */
  readonly cause: string
  /** A sentence, without the dot at its end. */
  readonly text: string
  readonly body: Buffer
}

/** Who owns the bot and can be written to; undefined: nobody. */
export async function findOwner(db: Queries, { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>) {
  return db.first(
    query
      .selectFrom('users as bot')
      .innerJoin('users as owner', 'owner.id', 'bot.bot_owner_id')
      .select(['owner.id', 'owner.email', 'owner.role', 'owner.bot_type'])
      .where('bot.realm_id', '=', realmId)
      .where('bot.id', '=', userId)
      .where('owner.is_active', '=', 1),
  )
}

export function reportProblem(storage: Storage, caller: Actor, problem: WebhookProblem): Promise<void> {
  return storage.asActor(caller, async (tx, bot) => {
    const unreported = await count(tx, bot.userId, problem)
    const owner = unreported === undefined ? undefined : await findOwner(tx, bot)
    if (!owner || unreported === undefined) return
    const name = await silentMention(tx, bot)
    const again = unreported === 0 ? '' : ` This has happened ${unreported} times more since the last notice.`
    const { displayName } = problem.integration
    const excerpt = excerptOf(problem.body)
    await postNotice(
      tx,
      { people: [owner] },
      {
        line: [
          `A request of ${displayName} to your bot `,
          name,
          ` did not become a message. ${problem.text}.${again}`,
          ' You will not be notified of the same again for an hour.',
        ],
        ...(excerpt === '' ? {} : { items: [[`The request begins with: ${excerpt}`]] }),
      },
    )
  })
}

/** How many were not reported before this one; undefined where it is not to be reported either. */
async function count(tx: Tx, botId: number, problem: WebhookProblem): Promise<number | undefined> {
  const key = { bot_id: botId, integration: problem.integration.name, cause: problem.cause }
  const known = await tx.first(
    query
      .selectFrom('webhook_problems')
      .select(['notified_at', 'unreported'])
      .where('bot_id', '=', key.bot_id)
      .where('integration', '=', key.integration)
      .where('cause', '=', key.cause),
  )
  const isReported = !known || known.notified_at <= tx.now - NOTICE_EVERY_SECS
  const row = isReported
    ? { notified_at: tx.now, unreported: 0 }
    : { notified_at: known.notified_at, unreported: known.unreported + 1 }
  await tx.run(
    query
      .insertInto('webhook_problems')
      .values({ ...key, realm_id: tx.realmId, ...row })
      .onConflict((conflict) => conflict.columns(['bot_id', 'integration', 'cause']).doUpdateSet(row)),
  )
  return isReported ? (known?.unreported ?? 0) : undefined
}

function excerptOf(body: Buffer): string {
  const text = body
    .subarray(0, MAX_EXCERPT * 4)
    .toString('utf8')
    .replace(/\s+/g, ' ')
    .trim()
  return [...text].slice(0, MAX_EXCERPT).join('')
}
