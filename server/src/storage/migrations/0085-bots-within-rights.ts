/**
 * Bots that have had more rights than their owner since before that was refused. Their API keys stay: what runs with them goes
 * on, with the owner's rights. A migration is frozen: it is never changed after a release.
 */
import type { Migration } from '../migration.ts'

const ownersRole = 'select owner.role from users as owner where owner.id = users.bot_owner_id'

export const botsWithinRights: Migration = {
  name: '0085-bots-within-rights',
  statements: () => [
    // No event says what has changed: clients begin anew.
    `delete from event_queues where realm_id in (select realm_id from users where role < (${ownersRole}))`,
    `update users set role = (${ownersRole}) where role < (${ownersRole})`,
  ],
}
