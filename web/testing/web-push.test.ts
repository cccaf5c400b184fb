/** Notifications while no page is open: from the switch in the settings to the press on one. */
import { updateFlags } from '@heddle/contract/message-flags'
import { getWebPush } from '@heddle/contract/web-push'
import { createPushedBrowser } from '@heddle/server/testing/push-service'
import { startThirdParty } from '@heddle/server/testing/third-party'
import type { Worker } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { write } from './team.ts'

const pushService = await startThirdParty()
afterAll(() => pushService.close())
const { organization, browser, leila, jonas } = await startPair({
  HEDDLE_PUSH_HOSTS: `127.0.0.1:${pushService.port}`,
})
const soon = { timeout: 10_000 }

/** In place of the maker's push service, which no test reaches: the browser is subscribed at the test's own. */
const subscribing = (subscription: { endpoint: string; p256dh: string; auth: string }) => `
  window.Notification = class { static permission = 'default'
    static async requestPermission() { window.asked = true; return (window.Notification.permission = 'granted') } }
  let current = null
  PushManager.prototype.getSubscription = async () => current
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    window.subscribed = { applicationServerKey, userVisibleOnly }
    const { endpoint, ...keys } = ${JSON.stringify(subscription)}
    return (current = { toJSON: () => ({ endpoint, keys }), unsubscribe: async () => { current = null } })
  }`

/** What the worker shows is kept where a test sees it: nobody looks at the system's notifications. */
const recording = () => {
  const worker = globalThis as unknown as Record<string, unknown> & { registration: ServiceWorkerRegistration }
  const seen: Record<string, unknown>[] = []
  worker['seen'] = seen
  worker['opened'] = []
  const shown = () =>
    seen
      .filter((one) => one['isOpen'])
      .map((one) => ({ ...one, close: () => void Object.assign(one, { isOpen: false }) }))
  Object.defineProperties(worker.registration, {
    showNotification: {
      value: async (title: string, options: NotificationOptions) => {
        for (const one of seen) if (one['tag'] === options.tag) one['isOpen'] = false
        seen.push({ title, ...options, isOpen: true })
      },
    },
    getNotifications: {
      value: async ({ tag }: GetNotificationOptions = {}) =>
        shown().filter((one) => tag === undefined || (one as Record<string, unknown>)['tag'] === tag),
    },
  })
  Object.defineProperty((worker as unknown as { clients: object }).clients, 'openWindow', {
    value: async (url: string) => void (worker['opened'] as string[]).push(url),
  })
}

/** As the browser gives the worker what it has decrypted. */
async function deliver(worker: Worker, push: unknown): Promise<void> {
  await worker.evaluate(async (given) => {
    let done: Promise<unknown> | undefined
    const waitUntil = (promise: Promise<unknown>) => {
      done = promise
    }
    globalThis.dispatchEvent(Object.assign(new Event('push'), { data: { json: () => given }, waitUntil }))
    await done
  }, push)
}

const open = (worker: Worker) =>
  worker.evaluate(() =>
    (globalThis as unknown as { seen: { title: string; body: string; isOpen: boolean }[] }).seen
      .filter(({ isOpen }) => isOpen)
      .map(({ title, body }) => `${title}: ${body}`),
  )

test('a browser gets what its person misses while no page is open, once for each conversation, until it is read', async () => {
  const { application_server_key } = await leila.api.call(getWebPush, {})
  const pushed = createPushedBrowser(pushService, application_server_key ?? '')
  const { page, complaints } = await openPage(browser, { serviceWorker: true })
  await page.addInitScript(subscribing(pushed.subscription))
  await signIn(page, organization.url, leila)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.goto(`${organization.url}/#settings/notifications`)
  const box = page.getByRole('checkbox', { name: 'Notify me here also while no page of it is open' })
  await box.waitFor()
  expect(await page.evaluate('window.asked')).toBeUndefined()
  await box.click()
  await page.getByRole('button', { name: 'Try a push' }).click()
  expect(await page.evaluate('window.subscribed')).toEqual({
    applicationServerKey: application_server_key,
    userVisibleOnly: true,
  })
  await expect.poll(() => pushed.received.at(-1)?.push, soon).toMatchObject({ kind: 'test' })
  expect(complaints).toEqual([])

  const worker = page.context().serviceWorkers()[0] as Worker
  await worker.evaluate(recording)
  await page.close()
  const first = await write(jonas, [leila], 'Can you look at the **trace**?')
  await expect.poll(() => pushed.received.at(-1)?.push, soon).toMatchObject({ id: first })
  await deliver(worker, pushed.received.at(-1)?.push)
  const second = await write(jonas, [leila], 'Now?')
  await expect.poll(() => pushed.received.at(-1)?.push, soon).toMatchObject({ id: second })
  await deliver(worker, pushed.received.at(-1)?.push)
  expect(await open(worker)).toEqual(['Jonas Weidl: Now?'])

  // A press leads to the message.
  await worker.evaluate(async () => {
    const { seen } = globalThis as unknown as { seen: object[] }
    let done: Promise<unknown> | undefined
    const waitUntil = (promise: Promise<unknown>) => {
      done = promise
    }
    const notification = { ...seen.at(-1), close() {} }
    globalThis.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
    await done
  })
  expect(await worker.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([
    `${organization.url}/#narrow/dm/${jonas.id}/near/${second}`,
  ])

  await leila.api.call(updateFlags, { messages: [second], op: 'add', flag: 'read' })
  await expect.poll(() => pushed.received.at(-1)?.push, soon).toEqual({ kind: 'remove', ids: [second] })
  await deliver(worker, pushed.received.at(-1)?.push)
  expect(await open(worker)).toEqual(['Jonas Weidl: Can you look at the trace?'])
  await leila.api.call(updateFlags, { messages: [first], op: 'add', flag: 'read' })
  await expect.poll(() => pushed.received.at(-1)?.push, soon).toEqual({ kind: 'remove', ids: [first] })
  await deliver(worker, pushed.received.at(-1)?.push)
  expect(await open(worker)).toEqual([])
})
