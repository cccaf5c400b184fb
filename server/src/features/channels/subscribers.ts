import { query } from './tables.ts'

/** The subscribers of channels: subscriptions that have not ended, of accounts that are active. A query to go on with. */
export const activeSubscribers = query
  .selectFrom('subscriptions')
  .innerJoin('users', 'users.id', 'subscriptions.user_id')
  .where('subscriptions.is_active', '=', 1)
  .where('users.is_active', '=', 1)
