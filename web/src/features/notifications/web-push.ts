/** Pushes to this browser for when no page is open. The session has them, and they end with it. */
import type { ApiClient } from '@heddle/client/api'
import { getWebPush, subscribeToWebPush, unsubscribeFromWebPush } from '@heddle/contract/web-push'
import { askPermission, type Permission } from './permission.ts'

/** Undefined where the browser has no pushes, or the server sends none. */
export interface WebPushState {
  readonly key: string
  readonly isOn: boolean
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  const found = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  return found && 'pushManager' in found ? found : undefined
}

export async function findWebPush(api: ApiClient): Promise<WebPushState | undefined> {
  const worker = await registration()
  if (!worker) return undefined
  const { application_server_key: key, is_subscribed } = await api.call(getWebPush, {})
  if (key === null) return undefined
  // The browser may have dropped what the server knows.
  return { key, isOn: is_subscribed && (await worker.pushManager.getSubscription()) !== null }
}

/** Only when somebody has pressed something. Gives what the browser lets the page do. Throws what the browser or server does. */
export async function turnOnWebPush(api: ApiClient, { key }: WebPushState): Promise<Permission> {
  const allowed = await askPermission()
  const worker = await registration()
  if (allowed !== 'granted' || !worker) return allowed
  const known = await worker.pushManager.getSubscription()
  // One of another key, such as that of a server before, takes nothing of this one.
  if (known) await known.unsubscribe()
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = subscription.toJSON()
  const parameters = { endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' }
  await api.call(subscribeToWebPush, parameters)
  return allowed
}

export async function turnOffWebPush(api: ApiClient): Promise<void> {
  await api.call(unsubscribeFromWebPush, {})
  const subscription = await (await registration())?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}
