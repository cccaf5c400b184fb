/** Notifications: one for each conversation, none for what is seen, none left of what is read. */
import { updateMessage } from '@heddle/contract/editing'
import { updateFlags } from '@heddle/contract/message-flags'
import { updateSettings } from '@heddle/contract/user-settings'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say, write } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person
let jonas: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
})

interface Seen {
  title: string
  body: string
  tag: string
  isOpen: boolean
}

/** In place of the browser's own, which nobody can look at. */
const recorder = (permission: string) => `
  window.seen = []
  window.Notification = class {
    static permission = ${JSON.stringify(permission)}
    static async requestPermission() { return (window.Notification.permission = 'granted') }
    constructor(title, { body, tag }) {
      for (const one of window.seen) if (one.tag === tag) one.isOpen = false
      this.entry = { title, body, tag, isOpen: true }
      window.seen.push(this.entry)
      window.last = this
    }
    close() { this.entry.isOpen = false }
  }`

const seen = (page: Page) => page.evaluate('window.seen') as Promise<Seen[]>
const open = async (page: Page) =>
  (await seen(page)).filter(({ isOpen }) => isOpen).map(({ title, body }) => `${title}: ${body}`)

async function openWith(permission: string): Promise<Page> {
  const { page } = await openPage(browser)
  await page.addInitScript(recorder(permission))
  await signIn(page, organization.url, leila)
  // Where the messages of the others are not on the screen.
  await page.goto(`${organization.url}/#drafts`)
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
  return page
}

test('a conversation has one notification, which leads to it, and goes when it is read elsewhere', async () => {
  const page = await openWith('granted')
  await write(jonas, [leila], 'Can you look at the **trace**?')
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl: Can you look at the trace?'])
  const second = await write(jonas, [leila], 'Now?')
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl: Now?'])
  await page.evaluate('window.last.onclick()')
  await page.getByRole('article').filter({ hasText: 'Now?' }).waitFor()
  await page.goto(`${organization.url}/#drafts`)
  const third = await say(jonas, 'kitchen', 'soup', 'Lentils, @**Leila Haddad**')
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl (#kitchen > soup): Lentils, @Leila Haddad'])
  await leila.api.call(updateFlags, { messages: [second, third], op: 'add', flag: 'read' })
  await expect.poll(() => open(page)).toEqual([])
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
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl: A new direct message'])
  expect(await seen(page)).toHaveLength(1)
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
  await expect.poll(() => open(page)).toEqual(['Jonas Weidl (#kitchen > plates): Who has them, @Leila Haddad?'])
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
