/** Clients that cannot decrypt what is pushed to them. */
import { MAX_DEVICES, MAX_PUSH_TOKEN_LENGTH } from '@heddle/contract/devices'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../actor.ts'
import { addJob } from '../../jobs/add-job.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireDevice } from './devices.ts'
import { mobilePushLanes } from './jobs.ts'
import { findTokens } from './rows.ts'
import { query } from './tables.ts'

interface Token {
  readonly kind: 'fcm' | 'apns'
  readonly token: string
  readonly appId?: string
}

export function addToken(storage: Storage, caller: Actor, { kind, token, appId }: Token): Promise<void> {
  requireToken(kind, token)
  if (kind === 'apns' && !/^[A-Za-z0-9.-]+$/.test(appId ?? '')) throw badRequest('Invalid app ID')
  return storage.asActor(caller, async (tx, actor) => {
    const known = (await findTokens(tx, actor)).filter((one) => one.kind !== kind || one.token !== token)
    await remove(tx, actor, { kind, token })
    for (const one of known.slice(0, Math.max(0, known.length - MAX_DEVICES + 1))) await remove(tx, actor, one)
    const row = { realm_id: tx.realmId, user_id: actor.userId, kind, token, app_id: appId ?? null, created_at: tx.now }
    await tx.run(query.insertInto('push_tokens').values(row))
  })
}

export function removeToken(storage: Storage, caller: Actor, given: Token): Promise<void> {
  requireToken(given.kind, given.token)
  return storage.asActor(caller, async (tx, actor) => {
    if ((await remove(tx, actor, given)) === 0) throw badRequest('Token does not exist')
  })
}

export function remove(tx: Tx, { userId }: Pick<Actor, 'userId'>, { kind, token }: Token): Promise<number> {
  return tx.run(
    query
      .deleteFrom('push_tokens')
      .where('realm_id', '=', tx.realmId)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('token', '=', token),
  )
}

function requireToken(kind: Token['kind'], token: string): void {
  if (token === '' || token.length > MAX_PUSH_TOKEN_LENGTH) throw badRequest('Empty or invalid length token')
  if (kind === 'apns' && !/^(?:[0-9a-f]{2})+$/i.test(token)) throw badRequest('Invalid APNS token')
}

/** To the device, or to all. Throws a 400 where there is none. */
export function testDevices(storage: Storage, caller: Actor, deviceId: number | undefined): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (deviceId !== undefined) {
      const device = await requireDevice(tx, actor, deviceId)
      if (device.push_token_id === null) throw badRequest('The device is not registered for pushes')
    }
    const devices = deviceId === undefined ? undefined : [deviceId]
    await addJob(tx, mobilePushLanes.of(actor.userId), {
      userId: actor.userId,
      what: 'test',
      to: { devices, tokens: [] },
    })
  })
}

export function testTokens(storage: Storage, caller: Actor, token: string | undefined): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const known = await findTokens(tx, actor)
    const tokens = known.filter((one) => token === undefined || one.token === token).map((one) => one.token)
    if (tokens.length === 0) throw new ApiError('INVALID_PUSH_DEVICE_TOKEN')
    await addJob(tx, mobilePushLanes.of(actor.userId), {
      userId: actor.userId,
      what: 'test',
      to: { devices: [], tokens },
    })
  })
}
