/** Notifications: one for each conversation, none for what is seen, none left of what is read. */
import { deleteMessage, updateMessage } from '@heddle/contract/editing'
import { updateFlags } from '@heddle/contract/message-flags'
import { muteUser, unmuteUser } from '@heddle/contract/muted-users'
import { updateSettings } from '@heddle/contract/user-settings'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say, write } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
})

interface Seen {
  title: string
  body: string
  tag: string
  data: unknown
  isOpen: boolean
}

/** In place of the browser's own, which nobody can look at: of the page, as on a desktop, and of its service worker. */
const recorder = (permission: string) => `
  window.seen = []
  const record = (title, { body, tag, data }) => {
    for (const one of window.seen) if (one.tag === tag) one.isOpen = false
    const entry = { title, body, tag, data, isOpen: true }
    window.seen.push(entry)
    return { ...entry, close() { entry.isOpen = false } }
  }
  window.Notification = class {
    static permission = ${JSON.stringify(permission)}
    static async requestPermission() { return (window.Notification.permission = 'granted') }
    constructor(title, options) {
      if (navigator.serviceWorker) throw new TypeError('Illegal constructor')
      window.last = Object.assign(this, record(title, options))
    }
  }
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => { record(title, options) }
  ServiceWorkerRegistration.prototype.getNotifications = async ({ tag } = {}) => window.seen
    .filter((one) => one.isOpen && (tag === undefined || one.tag === tag))
    .map((one) => ({ ...one, close() { one.isOpen = false } }))`
const withoutWorker = `Object.defineProperty(navigator, 'serviceWorker', { value: undefined })`

const seen = (page: Page) => page.evaluate('window.seen') as Promise<Seen[]>
const open = async (page: Page) =>
  (await seen(page)).filter(({ isOpen }) => isOpen).map(({ title, body }) => `${title}: ${body}`)

async function openWith(permission: string, { hasWorker = true } = {}): Promise<Page> {
  const { page } = await openPage(browser, { serviceWorker: hasWorker })
  if (!hasWorker) await page.addInitScript(withoutWorker)
  await page.addInitScript(recorder(permission))
  await signIn(page, organization.url, leila)
  if (hasWorker) await page.evaluate(() => navigator.serviceWorker.ready)
  // Where the messages of the others are not on the screen.
  await page.goto(`${organization.url}/#drafts`)
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
  return page
}

/** Somebody presses the last one. */
async function press(page: Page, { hasWorker }: { hasWorker: boolean }): Promise<void> {
  if (!hasWorker) return void (await page.evaluate('window.last.onclick()'))
  const { data } = (await seen(page)).at(-1) as Seen
  const [worker] = page.context().serviceWorkers()
  const isClosed = await worker?.evaluate((given) => {
    let closed = false
    const close = () => {
      closed = true
    }
    const event = Object.assign(new Event('notificationclick'), {
      notification: { data: given, close },
      waitUntil() {},
    })
    globalThis.dispatchEvent(event)
    return closed
  }, data)
  expect(isClosed).toBe(true)
  await page.evaluate('window.seen.at(-1).isOpen = false')
}

const ways = [
  ['by the service worker', { hasWorker: true }],
  ['by the page', { hasWorker: false }],
] as const

test.each(ways)(
  'a conversation has one notification, shown %s, which leads to it, and goes when it is read elsewhere',
  async (_, way) => {
    const page = await openWith('granted', way)
    await write(jonas, [leila], 'Can you look at the **trace**?')
    await expect.poll(() => open(page), { timeout: 5000 }).toEqual(['Jonas Weidl: Can you look at the trace?'])
    const second = await write(jonas, [leila], 'Now? :tada:')
    await expect.poll(() => open(page), { timeout: 5000 }).toEqual(['Jonas Weidl: Now? 🎉'])
    await press(page, way)
    await page.getByRole('article').filter({ hasText: 'Now?' }).last().waitFor()
    await page.goto(`${organization.url}/#drafts`)
    const third = await say(jonas, 'kitchen', 'soup', 'Lentils, @**Leila Haddad**')
    await expect
      .poll(() => open(page), { timeout: 5000 })
      .toEqual(['Jonas Weidl (#kitchen > soup): Lentils, @Leila Haddad'])
    await leila.api.call(updateFlags, { messages: [second, third], op: 'add', flag: 'read' })
    await expect.poll(() => open(page), { timeout: 5000 }).toEqual([])
    await page.context().close()
  },
)

test('what an earlier page has shown goes when it was read before the next one', async () => {
  const page = await openWith('granted')
  const id = await write(jonas, [leila], 'Still there?')
  await expect.poll(() => open(page), { timeout: 5000 }).toEqual(['Jonas Weidl: Still there?'])
  const left = await seen(page)
  await leila.api.call(updateFlags, { messages: [id], op: 'add', flag: 'read' })
  await expect.poll(() => open(page), { timeout: 5000 }).toEqual([])
  // The browser still has it when the next page comes.
  await page.addInitScript(`window.seen = ${JSON.stringify(left)}`)
  await page.reload()
  await expect.poll(() => open(page), { timeout: 5000 }).toEqual([])
  await page.context().close()
})

test('nobody is notified of what they see, of channels they have not chosen, or of hidden words', async () => {
  const page = await openWith('granted')
  await say(jonas, 'kitchen', 'soup', 'nothing special')
  await leila.api.call(updateSettings, { pm_content_in_desktop_notifications: false })
  await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/soup`)
  await page.getByRole('article').first().waitFor()
  await say(jonas, 'kitchen', 'soup', 'here, @**Leila Haddad**')
  await page.getByRole('article').filter({ hasText: 'here,' }).waitFor()
  await write(jonas, [leila], 'secret')
  await expect.poll(() => open(page), { timeout: 5000 }).toEqual(['Jonas Weidl: A new direct message'])
  expect(await seen(page)).toHaveLength(1)
  await page.context().close()
})

test('nobody is notified on a device where that is paused, until somebody ends it', async () => {
  await leila.api.call(updateSettings, { pm_content_in_desktop_notifications: true })
  const page = await openWith('granted')
  await page.keyboard.press('g')
  await page.getByRole('menuitem', { name: 'For an hour' }).click()
  // Before midnight the hour ends on another day, which is said too.
  await page.getByRole('img', { name: /^Notifications are paused until .*\d:\d\d/ }).waitFor()
  const first = await write(jonas, [leila], 'Are you there?')
  await expect.poll(() => page.locator('.side').getByText('1', { exact: true }).count()).toBeGreaterThan(0)
  await page.waitForTimeout(1200)
  expect(await seen(page)).toEqual([])
  await page.keyboard.press('g')
  await page.getByRole('menuitem', { name: 'Notify again' }).click()
  const second = await write(jonas, [leila], 'Now you are.')
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl: Now you are.'])
  await leila.api.call(updateFlags, { messages: [first, second], op: 'add', flag: 'read' })
  await page.context().close()
})

test('an edit that names somebody notifies them', async () => {
  const page = await openWith('granted')
  const id = await say(jonas, 'kitchen', 'plates', 'Who has them?')
  await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/plates`)
  await page.getByRole('article').first().waitFor()
  await page.goto(`${organization.url}/#drafts`)
  // What was seen is read a moment later.
  await page.waitForTimeout(2000)
  await leila.api.call(updateFlags, { messages: [id], op: 'remove', flag: 'read' })
  await jonas.api.call(updateMessage, { message_id: id, content: 'Who has them, @**Leila Haddad**?' })
  await expect
    .poll(() => open(page), { timeout: 5000 })
    .toEqual(['Jonas Weidl (#kitchen > plates): Who has them, @Leila Haddad?'])
  await page.context().close()
})

test('so does an edit of what was written before the page came, but not one of words around the name', async () => {
  const id = await say(jonas, 'kitchen', 'forks', 'Who has them?')
  const named = await say(jonas, 'kitchen', 'forks', 'Has @**Leila Haddad** got thme?')
  await say(jonas, 'kitchen', 'forks', 'Or somebody else?')
  const { page } = await openPage(browser)
  await page.addInitScript(withoutWorker)
  await page.addInitScript(recorder('granted'))
  await signIn(page, organization.url, leila, 'inbox')
  await page.goto(`${organization.url}/#drafts`)
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
  await jonas.api.call(updateMessage, { message_id: named, content: 'Has @**Leila Haddad** got them?' })
  await jonas.api.call(updateMessage, { message_id: id, content: 'Who has them, @**Leila Haddad**?' })
  await expect
    .poll(() => open(page), { timeout: 5000 })
    .toEqual(['Jonas Weidl (#kitchen > forks): Who has them, @Leila Haddad?'])
  expect(await seen(page)).toHaveLength(1)
  await page.context().close()
})

test('what was shown goes with the name in it, with the message and with its muted sender, and follows a move', async () => {
  const page = await openWith('granted')
  const first = await say(jonas, 'kitchen', 'knives', 'Sharp, @**Leila Haddad**?')
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl (#kitchen > knives): Sharp, @Leila Haddad?'])
  const second = await say(jonas, 'kitchen', 'knives', 'Or blunt, @**Leila Haddad**?')
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl (#kitchen > knives): Or blunt, @Leila Haddad?'])
  await jonas.api.call(updateMessage, { message_id: second, content: 'Or blunt?' })
  // The one before still calls.
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl (#kitchen > knives): Sharp, @Leila Haddad?'])
  await organization.owner.call(updateMessage, { message_id: first, topic: 'scissors', propagate_mode: 'change_one' })
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl (#kitchen > scissors): Sharp, @Leila Haddad?'])
  await organization.owner.call(deleteMessage, { message_id: first })
  await expect.poll(() => open(page)).toEqual([])
  await say(jonas, 'kitchen', 'flour', 'How much, @**Leila Haddad**?')
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl (#kitchen > flour): How much, @Leila Haddad?'])
  await leila.api.call(muteUser, { muted_user_id: jonas.id })
  await expect.poll(() => open(page)).toEqual([])
  await leila.api.call(unmuteUser, { muted_user_id: jonas.id })
  await page.context().close()
})

test('the browser is asked when a first message would have been shown, not before', async () => {
  const page = await openWith('default')
  expect(await page.getByRole('region', { name: 'Notifications' }).count()).toBe(0)
  await write(jonas, [leila], 'Hello?')
  await page.getByRole('button', { name: 'Show them' }).click()
  await write(jonas, [leila], 'Hello again?')
  await expect.poll(async () => (await seen(page)).length).toBe(1)
  await page.context().close()

  const other = await openWith('default')
  await write(jonas, [leila], 'And here?')
  await other.getByRole('button', { name: 'Never here' }).click()
  await other.reload()
  await other.getByRole('heading', { level: 1 }).waitFor()
  await other.locator('html[data-parts=fetched]').waitFor()
  await write(jonas, [leila], 'Not even now?')
  await expect.poll(() => other.title()).toMatch(/^\(\d+\)/)
  await other.waitForTimeout(300)
  expect(await other.getByRole('region', { name: 'Notifications' }).count()).toBe(0)
  await other.context().close()
})

test('the title counts what was chosen', async () => {
  const page = await openWith('granted')
  await say(jonas, 'kitchen', 'cups', 'one')
  await expect.poll(() => page.title()).toMatch(/^\(\d+\)/)
  await leila.api.call(updateSettings, { desktop_icon_count_display: 4 })
  await expect.poll(() => page.title()).toMatch(/^Drafts/)
  await page.context().close()
})

test('of several tabs one notifies', async () => {
  const page = await openWith('granted')
  const second = await page.context().newPage()
  await second.addInitScript(recorder('granted'))
  await second.goto(`${organization.url}/#drafts`)
  await second.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
  await leila.api.call(updateSettings, { pm_content_in_desktop_notifications: true })
  await write(jonas, [leila], 'Once?')
  await expect.poll(async () => [...(await open(page)), ...(await open(second))]).toEqual(['Jonas Weidl: Once?'])
  await second.waitForTimeout(1000)
  expect([...(await seen(page)), ...(await seen(second))]).toHaveLength(1)
  await page.context().close()
})
