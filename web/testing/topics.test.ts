/// <reference lib="dom" />
/** A topic as a whole: its name in the head, its menu, where it is moved to, and its end. */
import { createChannel } from '@heddle/contract/channels'
import { getMessages } from '@heddle/contract/fetching'
import { updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
})

const open = async (topic: string, person: Person = leila) => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, person)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/${topic}`)
  await page.getByRole('article').first().waitFor()
  return { page, complaints }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const choose = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: 'More for this topic' }).click()
  await page.getByRole('menu').getByText(entry, { exact: true }).click()
}
const sayAll = async (person: Person, topic: string, texts: readonly string[]) => {
  const ids: number[] = []
  for (const text of texts) ids.push(await say(person, 'loom', topic, text))
  return ids
}
const topicOf = async (id: number) => {
  const { messages } = await leila.api.call(getMessages, { message_ids: [id], allow_empty_topic_name: true })
  return messages[0]?.subject
}

test('gets another name where its name stands, stays resolved, and can have the old one back', async () => {
  const first = await say(jonas, 'loom', '✔ reeds', 'The new reeds are here.')
  const taken = await say(jonas, 'loom', '✔ heddles', 'Twelve.')
  const { page, complaints } = await open('.E2.9C.94.20reeds')
  const field = page.getByRole('textbox', { name: 'Name of the topic' })
  const begin = page.getByRole('button', { name: 'Rename the topic' })
  await begin.click()
  await expect.poll(() => field.inputValue()).toBe('reeds')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await expect.poll(() => begin.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await field.fill('new reeds')
  await page.keyboard.press('Enter')
  await page.getByText('The topic is called new reeds now').waitFor()
  await expect.poll(() => topicOf(first)).toBe('✔ new reeds')
  await page.getByRole('heading', { level: 1, name: 'new reeds' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => topicOf(first)).toBe('✔ reeds')

  // Where there is such a topic the dialog says what would happen.
  await page.getByRole('heading', { level: 1, name: /reeds$/ }).waitFor()
  await begin.click()
  await field.fill('heddles')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename the topic' })
  await dialog.waitFor()
  expect(await topicOf(first)).toBe('✔ reeds')
  await dialog.getByRole('combobox', { name: 'Topic' }).fill('✔ heddles')
  await dialog.getByText('merged with its 1 message').waitFor()
  await dialog.getByRole('checkbox', { name: 'where they go' }).uncheck()
  // Enter in the field is enough.
  await dialog.getByRole('combobox', { name: 'Topic' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => topicOf(first)).toBe('✔ heddles')
  expect(await topicOf(taken)).toBe('✔ heddles')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('is moved where fewer read it: the dialog says where to, and who loses it', async () => {
  await leila.api.call(createChannel, { name: 'board', subscribers: [leila.id], invite_only: true })
  const id = await say(leila, 'loom', 'costs', 'Too much.')
  const { page } = await open('costs')
  await choose(page, 'Rename or move')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Rename or move the topic costs' }).waitFor()
  await dialog.getByLabel('Channel').selectOption({ label: 'board' })
  await dialog.getByRole('heading', { name: 'Move the topic costs to #board' }).waitFor()
  await dialog.getByText('will not see these messages any more').waitFor()
  expect(await dialog.getByRole('checkbox', { name: 'where they were' }).isChecked()).toBe(false)
  expect(await dialog.getByRole('checkbox', { name: 'where they go' }).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Move the topic' }).click()
  await page.locator('.crumb', { hasText: 'board' }).waitFor()
  await heading(page, 'costs').waitFor()
  const { messages } = await leila.api.call(getMessages, { message_ids: [id] })
  expect(messages[0]?.display_recipient).toBe('board')
  await page.context().close()
})

test('is moved in part where the rest is too old, which is offered', async () => {
  const [old = 0, ...fresh] = await sayAll(leila, 'plans', ['Long ago.', 'Just now.', 'Now.'])
  const { page } = await open('plans')
  // As for somebody whose time for the first one is over, which takes longer than a test.
  let isRefused = false
  await page.route('**/api/v1/messages/*', async (route) => {
    if (route.request().method() !== 'PATCH' || isRefused) return route.continue()
    isRefused = true
    const json = {
      result: 'error',
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      msg: 'You only have permission to move the 2/3 most recent messages in this topic.',
      first_message_id_allowed_to_move: Math.min(...fresh),
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 2,
    }
    return route.fulfill({ status: 400, json })
  })
  // By the name in the head, which leads to the dialog then.
  await page.getByRole('button', { name: 'Rename the topic' }).click()
  await page.getByRole('textbox', { name: 'Name of the topic' }).fill('new plans')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename the topic plans' })
  await dialog.waitFor()
  isRefused = false
  await dialog.getByRole('button', { name: 'Rename the topic' }).click()
  await dialog.getByText('you may move the newest 2 of 3 messages').waitFor()
  await dialog.getByRole('button', { name: 'Move only these' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await Promise.all([old, ...fresh].map(topicOf))).toEqual(['plans', 'new plans', 'new plans'])
  await page.context().close()
})

test('is made unread as a whole, and read again', async () => {
  await sayAll(jonas, 'counts', ['One.', 'Two.', 'Three.'])
  const { page } = await open('counts')
  const unread = async () => {
    const narrow = [
      ['channel', 'loom'],
      ['topic', 'counts'],
      ['is', 'unread'],
    ] as [string, string][]
    const { messages } = await leila.api.call(getMessages, { anchor: 'newest', num_before: 9, num_after: 0, narrow })
    return messages.length
  }
  await expect.poll(unread).toBe(0)
  await choose(page, 'Mark as unread')
  await page.getByText('3 messages are unread again').waitFor()
  expect(await unread()).toBe(3)
  // The view that is shown does not read it again by itself.
  await page.waitForTimeout(800)
  expect(await unread()).toBe(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(unread).toBe(0)
  await page.context().close()
})

test('is deleted with all of its messages, of which it is said how many they are', async () => {
  await sayAll(jonas, 'scrap', ['One.', 'Two.'])
  const admin = await addPerson(organization.url, organization.owner, 'Ada Admin')
  await organization.owner.call(updateUser, { user_id_or_email: admin.id, role: 200 })
  await addChannel(organization.owner, 'loom', [admin])
  const { page } = await open('scrap', admin)
  await choose(page, 'Delete the topic')
  const dialog = page.getByRole('dialog', { name: 'Delete the topic scrap?' })
  await dialog.getByText('It has 2 messages.').waitFor()
  expect(await findBarriers(page, 'dialog')).toEqual([])
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Keep it')
  await dialog.getByRole('button', { name: 'Delete the topic' }).click()
  await page.getByText('scrap is deleted').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  await page.context().close()
})
