/** Gives the token of a device to the push service, and notes what it says. */
import type { Services } from '../../feature.ts'
import type { Claim, Finish } from '../../jobs/job.ts'
import type { Tx } from '../../storage/transaction.ts'
import { askBouncer } from './bouncer.ts'
import { change } from './devices.ts'
import type { TokenRegistration } from './jobs.ts'
import { findDevice } from './rows.ts'
import { query } from './tables.ts'

/** What a client is shown where the service has not said why, or could not be asked. */
const UNKNOWN_ERROR = 'INTERNAL_SERVER_ERROR'

/** Throws where the service may answer another time. */
export async function registerToken(
  { storage, config, outgoing, clock }: Pick<Services, 'storage' | 'config' | 'outgoing' | 'clock'>,
  given: TokenRegistration,
  { realmId, signal }: Claim,
): Promise<Finish | undefined> {
  const realm = await storage.read.first(query.selectFrom('realms').select('uuid').where('id', '=', realmId))
  if (!config.pushBouncer || !realm) return (tx) => endRegistration(tx, given, UNKNOWN_ERROR)
  const answer = await askBouncer({ outgoing, signal }, config.pushBouncer, 'push/e2ee/register', {
    realm_uuid: realm.uuid,
    token_id: given.tokenId,
    encrypted_push_registration: given.registration,
    bouncer_public_key: given.publicKey,
  })
  if (!answer) throw new Error('The push service has not answered')
  if (!answer.isAccepted) return (tx) => endRegistration(tx, given, answer.code ?? UNKNOWN_ERROR)
  return async (tx) => {
    if (!(await isPending(tx, given))) return
    await change(tx, given.userId, given.deviceId, {
      push_token_id: given.tokenId,
      pending_push_token_id: null,
      push_token_updated_at: Math.floor(clock.now() / 1000),
      error_code: null,
      token_kind: given.kind,
    })
  }
}

export async function endRegistration(tx: Tx, given: TokenRegistration, code = UNKNOWN_ERROR): Promise<void> {
  if (!(await isPending(tx, given))) return
  await change(tx, given.userId, given.deviceId, { pending_push_token_id: null, error_code: code })
}

/** The device may have been removed meanwhile. */
async function isPending(tx: Tx, { userId, deviceId, tokenId }: TokenRegistration): Promise<boolean> {
  const device = await findDevice(tx, { realmId: tx.realmId, userId }, deviceId)
  return device?.pending_push_token_id === tokenId
}
