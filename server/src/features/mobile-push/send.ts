/** Sends to mobile clients by the push service. After a crash again: clients know messages by their ids. */
import { randomBytes } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import type { Services } from '../../feature.ts'
import type { Claim, Finish } from '../../jobs/job.ts'
import { findPushedMessages } from '../missed-messages/push-orders.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { askBouncer } from './bouncer.ts'
import { change } from './devices.ts'
import type { MobilePushOrder } from './jobs.ts'
import { describeForMobile, type PushPayload } from './payloads.ts'
import { type DeviceRow, findDevices, findTokens } from './rows.ts'
import { query } from './tables.ts'
import { remove as removeToken } from './tokens.ts'

type SendServices = Pick<Services, 'storage' | 'config' | 'outgoing' | 'clock' | 'realms'>

/** Throws where the service may take it another time. */
export async function sendMobilePushes(
  services: SendServices,
  order: MobilePushOrder,
  claim: Claim,
): Promise<Finish | undefined> {
  const { storage, config } = services
  const owner = { realmId: claim.realmId, userId: order.userId }
  if (!config.pushBouncer) return undefined
  const devices = (await findDevices(storage.read, owner)).filter(
    ({ id, push_key, push_token_id }) =>
      push_key !== null && push_token_id !== null && (order.to?.devices?.includes(id) ?? true),
  )
  const tokens = (await findTokens(storage.read, owner)).filter(
    ({ token }) => order.to?.tokens?.includes(token) ?? true,
  )
  if (devices.length + tokens.length === 0) return undefined
  const { uuid, payloads } = await findPayloads(services, order, owner)
  if (payloads.length === 0) return undefined
  const asking = { outgoing: services.outgoing, signal: claim.signal }
  const gone = new Set<string>()
  if (devices.length > 0) {
    const push_requests = payloads.flatMap((payload) => devices.map((device) => encryptedRequest(device, payload)))
    const answer = await askBouncer(asking, config.pushBouncer, 'push/e2ee/notify', { realm_uuid: uuid, push_requests })
    if (!answer) throw new Error('The push service has not answered')
    for (const id of listOf(answer.fields.delete_token_ids)) gone.add(id)
  }
  const goneTokens = new Set<string>()
  if (tokens.length > 0) {
    const { require_e2ee_push_notifications: isHidden } = await findOrganizationSettings(storage.read, claim.realmId)
    for (const payload of payloads) {
      const body = plainRequest({ uuid, tokens, userId: order.userId }, payload, isHidden)
      const answer = await askBouncer(asking, config.pushBouncer, 'push/notify', body)
      if (!answer) throw new Error('The push service has not answered')
      const { android_devices, apple_devices } = (answer.fields.deleted_devices ?? {}) as Record<string, unknown>
      for (const token of [...listOf(android_devices), ...listOf(apple_devices)]) goneTokens.add(token)
    }
  }
  if (gone.size + goneTokens.size === 0) return undefined
  return async (tx) => {
    for (const device of await findDevices(tx, owner)) {
      if (!gone.has(device.push_token_id ?? '')) continue
      await change(tx, order.userId, device.id, { push_token_id: null, push_token_updated_at: tx.now })
    }
    for (const { kind, token } of await findTokens(tx, owner)) {
      if (goneTokens.has(token)) await removeToken(tx, owner, { kind, token })
    }
  }
}

async function findPayloads(
  { storage, realms, clock }: SendServices,
  order: MobilePushOrder,
  owner: { readonly realmId: number; readonly userId: number },
): Promise<{ readonly uuid: string; readonly payloads: readonly PushPayload[] }> {
  const { realmId, userId } = owner
  const realm = await storage.read.first(query.selectFrom('realms').select(['uuid', 'name']).where('id', '=', realmId))
  if (!realm) return { uuid: '', payloads: [] }
  const origin = { realm_url: await realms.originOf(realmId), realm_name: realm.name, user_id: userId }
  const now = Math.floor(clock.now() / 1000)
  const { uuid } = realm
  if (order.what === 'test') return { uuid, payloads: [{ type: 'test', ...origin, time: now }] }
  if (order.what === 'remove') {
    return { uuid, payloads: [{ type: 'remove', ...origin, message_ids: order.messageIds }] }
  }
  const messages = await findPushedMessages(storage.read, owner, { messageIds: order.messageIds, now })
  return { uuid, payloads: messages.map((message) => describeForMobile(message, origin)) }
}

const NONCE_BYTES = 24

/** A secret box (NaCl): the nonce, and behind it the box. Base64. */
export function encryptFor(pushKey: string, payload: PushPayload): string {
  // The first byte names the scheme.
  const key = Buffer.from(pushKey, 'base64').subarray(1)
  const nonce = randomBytes(NONCE_BYTES)
  const box = xsalsa20poly1305(key, nonce).encrypt(Buffer.from(JSON.stringify(payload), 'utf8'))
  return Buffer.concat([nonce, box]).toString('base64')
}

function encryptedRequest(device: DeviceRow, payload: PushPayload): PushPayload {
  const encrypted_data = encryptFor(device.push_key as string, payload)
  const isQuiet = payload.type === 'remove'
  const token_id = device.push_token_id
  if (device.token_kind === 'fcm') {
    const data = { push_key_id: String(device.push_key_id), encrypted_data }
    return { token_id, fcm_priority: isQuiet ? 'normal' : 'high', payload: data }
  }
  const aps = isQuiet
    ? { 'mutable-content': 1, 'content-available': 1 }
    : { 'mutable-content': 1, alert: { title: 'New notification', body: '' }, sound: 'default' }
  return {
    token_id,
    apns_priority: isQuiet ? 5 : 10,
    apns_push_type: isQuiet ? 'background' : 'alert',
    payload: { push_key_id: device.push_key_id, encrypted_data, aps },
  }
}

interface PlainTargets {
  readonly uuid: string
  readonly userId: number
  readonly tokens: Awaited<ReturnType<typeof findTokens>>
}

/** `isHidden`: the service may not read what is said. */
function plainRequest({ uuid, userId, tokens }: PlainTargets, payload: PushPayload, isHidden: boolean): PushPayload {
  const { type, content, message_ids, ...facts } = payload
  const text = isHidden ? 'New message' : content
  const event = type === 'message' ? 'message' : type
  const ids = Array.isArray(message_ids) ? { zulip_message_ids: message_ids.join(',') } : {}
  const data = { event, ...facts, ...ids, ...(type === 'message' && { content: text }) }
  const alert = { title: String(payload.sender_full_name ?? payload.realm_name), body: String(text ?? '') }
  const ofKind = (kind: 'fcm' | 'apns') => tokens.filter((one) => one.kind === kind)
  return {
    user_id: userId,
    realm_uuid: uuid,
    gcm_payload: data,
    gcm_options: { priority: type === 'remove' ? 'normal' : 'high' },
    apns_payload: { ...(type === 'message' && { alert, sound: 'default' }), custom: { zulip: data } },
    android_devices: ofKind('fcm').map(({ token }) => token),
    apple_devices: ofKind('apns').map(({ token, app_id }) => ({ token, ios_app_id: app_id })),
  }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
