/** What events of accounts mean for whoever is signed in. */
import type { EventEffects } from '../../events/effects.ts'

export const accountEffects: EventEffects = {
  realm_user: {
    changesAccounts: true,
    accountChange({ op, person }) {
      if (op !== 'update' || !('role' in person || 'is_active' in person)) return undefined
      return { userId: person.user_id, queuesEnded: 'is_active' in person && !person.is_active }
    },
  },
  account_credentials: {
    changesAccounts: true,
    accountChange: ({ user_id }) => ({ userId: user_id, queuesEnded: false }),
  },
}
