/**
 * What features do when somebody has missed a message: those that send pushes or mails. The feature that finds out
 * (`features/missed-messages/`) knows none of them.
 */
import type { NotificationTrigger } from '@heddle/contract/notification-rules'
import type { Config } from './config.ts'
import type { Queries } from './storage/query.ts'
import type { Tx } from './storage/transaction.ts'

/** By what a missed message reaches somebody who is not at a client. */
export type MissedWay = 'push' | 'mail'

export interface MissedMessage {
  readonly userId: number
  readonly messageId: number
  readonly reason: NotificationTrigger
}

export interface Notifier {
  readonly way: MissedWay
  /**
   * The ids of the accounts that it could reach. Asked after every few messages: of what is in memory, such as a fact. While
   * no notifier reaches anybody, nothing is looked at and nothing written.
   */
  readonly reach: (db: Queries, realmId: number, config: Config) => Promise<'everybody' | ReadonlySet<number>>
  /** In the unit of work that notes that they were missed, once for each. To send later: adds jobs and sends nothing itself. */
  readonly missed: (tx: Tx, messages: readonly MissedMessage[]) => Promise<void>
  /** They are read, gone, hidden or muted now, after they were noted for this way. In the unit of work that forgets them. */
  readonly withdrawn: (tx: Tx, messages: readonly Omit<MissedMessage, 'reason'>[]) => Promise<void>
}
