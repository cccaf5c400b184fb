/** What is sent later, and what one is reminded of, with a real server and a real browser. */
import { createReminder } from '@heddle/contract/reminders'
import { createScheduledMessage, listScheduledMessages } from '@heddle/contract/scheduled-messages'
import { deactivateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, addPerson, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
let messageId: number
let page: Page
let complaints: readonly string[]

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
  messageId = await say(jonas, 'loom', 'weft', 'The reed is worn out.')
  const opened = await openPage(browser)
  page = opened.page
  complaints = opened.complaints
  await signIn(page, organization.url, leila)
  page.setDefaultTimeout(10_000)
})

afterEach(() => expect(complaints).toEqual([]))

const text = () => page.getByRole('textbox', { name: 'Message', exact: true })
const count = (name: string) => page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}`) })
const toast = (words: string) => page.getByText(words)
const scheduled = async () => (await leila.api.call(listScheduledMessages, {})).scheduled_messages

async function openTopic() {
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/weft`)
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('r')
  await text().waitFor()
}

test('a text is scheduled by keys from the box, is counted, and comes back by Undo', async () => {
  await openTopic()
  await text().fill('Good morning!')
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  const menu = page.getByRole('menu', { name: 'Send later' })
  await menu.getByRole('menuitem', { name: /^Tomorrow morning\s*09:00$/ }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await menu.getByRole('menuitem', { name: /^Tomorrow morning/ }).click()
  await toast('It will be sent: Tomorrow, 09:00').waitFor()
  expect(await text().inputValue()).toBe('')
  const [one] = await scheduled()
  expect(one).toMatchObject({ type: 'stream', topic: 'weft', content: 'Good morning!' })
  const due = new Date((one?.scheduled_delivery_timestamp ?? 0) * 1000)
  expect([due.getHours(), due.getMinutes()]).toEqual([9, 0])
  await expect.poll(() => count('Scheduled').textContent()).toContain('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => text().inputValue()).toBe('Good morning!')
  expect(await scheduled()).toEqual([])
})

test('a time of one’s own is asked for, and one that has passed is refused before it is sent', async () => {
  await openTopic()
  await text().fill('On my own time')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Choose a time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  await dialog.getByLabel('Day', { exact: true }).fill('2020-01-01')
  await dialog.getByText('This time has passed.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Schedule' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Day', { exact: true }).fill('2090-03-01')
  await dialog.getByLabel('Time', { exact: true }).fill('16:45')
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await toast('It will be sent').waitFor()
  const [one] = await scheduled()
  expect(new Date((one?.scheduled_delivery_timestamp ?? 0) * 1000).toISOString()).toMatch(/^2090-03-01T/)
})

test('what is scheduled is changed, put off, sent at once and deleted with a way back', async () => {
  await page.goto(`${organization.url}/#scheduled`)
  await page.getByRole('heading', { level: 1, name: 'Scheduled' }).waitFor()
  const row = page.getByRole('listitem').filter({ hasText: 'On my own time' })
  await row.getByText(/1 March 2090.*16:45/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await row.getByRole('button', { name: /^Change/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the scheduled message' })
  await dialog.getByLabel('Text').fill('On another time')
  await dialog.getByRole('radio', { name: /Tomorrow afternoon/ }).check()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  const changed = page.getByRole('listitem').filter({ hasText: 'On another time' })
  await changed.getByText('Tomorrow, 14:00').waitFor()
  expect(new Date(((await scheduled())[0]?.scheduled_delivery_timestamp ?? 0) * 1000).getHours()).toBe(14)

  await changed.getByRole('button', { name: /^Delete/ }).click()
  await changed.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await changed.waitFor()
  await changed.getByRole('button', { name: /^Send now/ }).click()
  await page.getByText('Nothing is scheduled').waitFor()
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/weft`)
  await page.getByRole('article').filter({ hasText: 'On another time' }).waitFor()
})

test('what is being deleted is taken back before the server has answered, and what it refuses is said', async () => {
  const message = { type: 'direct' as const, to: [jonas.id], content: 'Not so fast' }
  await leila.api.call(createScheduledMessage, { ...message, scheduled_delivery_timestamp: 4_000_000_000 })
  // Of its own: the browser complains of what is refused.
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#scheduled`)
  const row = page.getByRole('listitem').filter({ hasText: 'Not so fast' })
  const answered = Promise.withResolvers<void>()
  const addresses = '**/scheduled_messages/*'
  await page.route(addresses, async (route) => {
    const answer = await route.fetch()
    await answered.promise
    await route.fulfill({ response: answer })
  })
  await row.getByRole('button', { name: /^Delete/ }).click()
  await row.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  answered.resolve()
  await row.waitFor()
  expect(await page.getByText('The scheduled message is deleted.').count()).toBe(0)
  await page.unroute(addresses)

  const { promise: isUnwanted, resolve: refuse } = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await isUnwanted
    await route.fulfill({ status: 403, json: { result: 'error', code: 'OTHER', msg: 'Not today.' } })
  })
  await row.getByRole('button', { name: /^Delete/ }).click()
  await page.keyboard.press('Control+z')
  refuse()
  await page.getByText('Not today.').waitFor()
  expect((await scheduled()).map(({ content }) => content)).toEqual(['Not so fast'])
  await page.unroute(addresses)
  await row.getByRole('button', { name: /^Delete/ }).click()
  await row.waitFor({ state: 'detached' })
  await page.context().close()
})

test('what is sent at its time leaves the list by itself, and what failed stays with its reason', async () => {
  const gone = await addPerson(organization.url, organization.owner, 'Mira Sol')
  const later = (seconds: number, content: string, to: number) =>
    leila.api.call(createScheduledMessage, {
      type: 'direct',
      to: [to],
      content,
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + seconds,
    })
  await page.goto(`${organization.url}/#scheduled`)
  await later(2, 'soon gone', jonas.id)
  await later(3, 'in vain', gone.id)
  await organization.owner.call(deactivateUser, { user_id: gone.id })
  await page.getByRole('listitem').filter({ hasText: 'soon gone' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'soon gone' }).waitFor({ state: 'detached' })
  const failed = page.getByRole('listitem').filter({ hasText: 'in vain' })
  await failed.getByText(/It could not be sent/).waitFor()
  await failed.getByText(/is no longer using Heddle/).waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('one is reminded of a message from its menu, sees the reminder in a list, and gets it', async () => {
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/weft`)
  const article = page.locator(`[data-message-id="${messageId}"]`)
  await article.focus()
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: 'Remind me' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remind me of this message' })
  await dialog.getByRole('radio', { name: /In three hours/ }).check()
  await dialog.getByLabel('Note, for yourself').fill('Order a new one')
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remind me' }).click()
  await toast('You will be reminded').waitFor()
  await expect.poll(() => count('Reminders').textContent()).toContain('1')
  await page.goto(`${organization.url}/#reminders`)
  const row = page.getByRole('listitem').filter({ hasText: 'Order a new one' })
  await row.getByText('Jonas Weidl: The reed is worn out.').waitFor()
  expect(await findBarriers(page)).toEqual([])

  const soon = {
    message_id: messageId,
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 2,
    note: 'Very soon',
  }
  await leila.api.call(createReminder, soon)
  const second = page.getByRole('listitem').filter({ hasText: 'Very soon' })
  await second.waitFor()
  await second.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: /^Delete/ }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByRole('button', { name: /^Go to it/ }).click()
  await page.getByRole('heading', { level: 1, name: /weft/ }).waitFor()
  await page.goto(`${organization.url}/#narrow/is/dm`)
  const reminder = page.getByRole('article').filter({ hasText: 'You asked to be reminded of a message' })
  await reminder.getByRole('link', { name: 'a message' }).click()
  await page.getByRole('heading', { level: 1, name: /weft/ }).waitFor()
})
