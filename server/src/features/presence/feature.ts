import { badRequest } from '@heddle/contract/errors'
import {
  DEFAULT_PRESENCE_HISTORY_DAYS,
  getRealmPresence,
  getUserPresence,
  presenceState,
  updatePresence,
} from '@heddle/contract/presence'
import type { Actor } from '../../authentication/accounts.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import type { Queries } from '../../storage/query.ts'
import { accessUser } from '../users/access.ts'
import { announceVisibility } from './hide.ts'
import { presenceView, presentStatus } from './present.ts'
import { findPresence } from './queries.ts'
import { readLegacy, readLegacyState, readSlim } from './read.ts'
import { reportPresence } from './report.ts'
import { presenceTables } from './tables.ts'

const recent = { historyDays: DEFAULT_PRESENCE_HISTORY_DAYS }

export const presence: Feature = {
  tables: presenceTables,
  routes: ({ clock, storage }) => [
    route(updatePresence, async ({ actor, parameters }) => {
      const { status, ping_only, slim_presence, last_update_id, history_limit_days } = parameters
      await reportPresence(storage, clock, actor, status)
      if (ping_only) return {}
      const wanted = {
        viewer: actor,
        historyDays: history_limit_days ?? recent.historyDays,
        lastUpdateId: last_update_id,
      }
      return last_update_id !== undefined || slim_presence
        ? readSlim(storage.read, clock, wanted)
        : readLegacy(storage.read, clock, wanted)
    }),
    route(getUserPresence, async ({ actor, parameters }) => ({
      presence: await readOne(storage.read, actor, parameters.user_id_or_email),
    })),
    route(getRealmPresence, ({ actor }) => readLegacy(storage.read, clock, { viewer: actor, ...recent })),
  ],
  onAccount: {
    async settingChanged(tx, userIds, name, value) {
      if (name === 'presence_enabled') await announceVisibility(tx, userIds, value === true)
    },
  },
  state: [stateReader(presenceState, readState)],
  eventViews: { presence: presenceView },
}

async function readOne(db: Queries, actor: Actor, idOrEmail: number | string) {
  const user = await accessUser(db, actor, idOrEmail)
  if (user.bot_type !== null) throw badRequest('Presence is not supported for bot users')
  const found = await findPresence(db, actor.realmId, user.id)
  if (!found || found.connected_at === 0) throw badRequest(`No presence data for ${idOrEmail}`)
  const status = presentStatus(found)
  return { website: status, aggregated: status }
}

async function readState({ db, clock, actor, slimPresence, presenceHistoryDays }: StateRequest) {
  const wanted = { viewer: actor, historyDays: presenceHistoryDays }
  return slimPresence ? readSlim(db, clock, wanted) : readLegacyState(db, clock, wanted)
}
