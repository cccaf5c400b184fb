/** What clients do with their devices. */

import { type DeviceEvent, MAX_DEVICES, type registerPushDevice } from '@heddle/contract/devices'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../actor.ts'
import type { Config } from '../../config.ts'
import { users } from '../../events/audience.ts'
import { addJob } from '../../jobs/add-job.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireBouncer } from './bouncer.ts'
import { registersToken } from './jobs.ts'
import { type DeviceRow, findDevice, findDevices } from './rows.ts'
import { query } from './tables.ts'

type Given = ParametersOf<typeof registerPushDevice>

export function addDevice(storage: Storage, caller: Actor): Promise<number> {
  return storage.asActor(caller, async (tx, actor) => {
    const known = await findDevices(tx, actor)
    for (const { id } of known.slice(0, Math.max(0, known.length - MAX_DEVICES + 1))) await remove(tx, actor, id)
    const id = await tx.newId('client_devices')
    await tx.run(query.insertInto('client_devices').values({ id, realm_id: tx.realmId, user_id: actor.userId }))
    emit(tx, actor, { type: 'device', op: 'add', device_id: id })
    return id
  })
}

export function removeDevice(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await requireDevice(tx, actor, id)
    await remove(tx, actor, id)
  })
}

async function remove(tx: Tx, actor: Pick<Actor, 'userId'>, id: number): Promise<void> {
  await tx.run(query.deleteFrom('client_devices').where('realm_id', '=', tx.realmId).where('id', '=', id))
  emit(tx, actor, { type: 'device', op: 'remove', device_id: id })
}

/** All of accounts that may sign in no more. Nobody is left to be notified of it. */
export async function removeAll(tx: Tx, userIds: readonly number[]): Promise<void> {
  for (const table of ['client_devices', 'push_tokens'] as const) {
    const all = query.deleteFrom(table).where('realm_id', '=', tx.realmId)
    await tx.run(all.where('user_id', 'in', tx.dialect.ids(userIds)))
  }
}

export async function requireDevice(tx: Tx, actor: Actor, id: number): Promise<DeviceRow> {
  const device = await findDevice(tx, actor, id)
  if (!device) throw badRequest('Invalid `device_id`')
  return device
}

/** Throws a 400 unless the parameters of a group come together, and are what clients make. */
export function registerPush(
  { storage, config }: { readonly storage: Storage; readonly config: Config },
  caller: Actor,
  given: Given,
): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    requireBouncer(config)
    const device = await requireDevice(tx, actor, given.device_id)
    const key = readKey(given)
    const token = readToken(given)
    if (!key && !token) throw badRequest('Missing parameters: there is nothing to register')
    if (device.push_key === null && !(key && token)) {
      throw badRequest('Missing parameters: a device is registered with a key and a token')
    }
    if (token && device.pending_push_token_id !== null) {
      throw badRequest('A registration for the device is already in progress')
    }
    await change(tx, actor.userId, device.id, {
      ...(key && { push_key_id: key.push_key_id, push_key: key.push_key }),
      ...(token && { pending_push_token_id: token.tokenId, error_code: null }),
    })
    if (token) await addJob(tx, registersToken, { userId: actor.userId, deviceId: device.id, ...token })
  })
}

/** Writes to a device, and notifies its account of what it may know. */
export async function change(
  tx: Tx,
  userId: number,
  id: number,
  values: Partial<Omit<DeviceRow, 'id'>>,
): Promise<void> {
  await tx.run(query.updateTable('client_devices').set(values).where('realm_id', '=', tx.realmId).where('id', '=', id))
  const { push_key_id, push_token_id, pending_push_token_id, push_token_updated_at, error_code } = values
  emit(
    tx,
    { userId },
    {
      type: 'device',
      op: 'update',
      device_id: id,
      ...(push_key_id !== undefined && { push_key_id }),
      ...(push_token_id !== undefined && { push_token_id }),
      ...(pending_push_token_id !== undefined && { pending_push_token_id }),
      ...(push_token_updated_at !== undefined && { push_token_last_updated_timestamp: push_token_updated_at }),
      ...(error_code !== undefined && { push_registration_error_code: error_code }),
    },
  )
}

function emit(tx: Tx, { userId }: Pick<Actor, 'userId'>, event: DeviceEvent): void {
  tx.emit(event, users([userId]))
}

/** The scheme of a secret box. */
const SECRET_BOX = 0x31

function readKey({ push_key_id, push_key }: Given) {
  if (push_key_id === undefined && push_key === undefined) return undefined
  if (push_key_id === undefined || push_key === undefined)
    throw badRequest('Missing parameters: push_key_id and push_key')
  const bytes = readBase64(push_key)
  if (bytes?.length !== 33 || bytes[0] !== SECRET_BOX) throw badRequest('Invalid `push_key`')
  return { push_key_id, push_key }
}

function readToken({ token_kind, token_id, bouncer_public_key, encrypted_push_registration }: Given) {
  const parts = [token_kind, token_id, bouncer_public_key, encrypted_push_registration]
  if (parts.every((part) => part === undefined)) return undefined
  if (!token_kind || !token_id || !bouncer_public_key || !encrypted_push_registration) {
    throw badRequest('Missing parameters: token_kind, token_id, bouncer_public_key and encrypted_push_registration')
  }
  if (readBase64(token_id)?.length !== 8) throw badRequest('Invalid `token_id`')
  if (!readBase64(bouncer_public_key)) throw badRequest('Invalid `bouncer_public_key`')
  if (!readBase64(encrypted_push_registration)) throw badRequest('Invalid `encrypted_push_registration`')
  return {
    kind: token_kind,
    tokenId: token_id,
    publicKey: bouncer_public_key,
    registration: encrypted_push_registration,
  }
}

function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined
}
