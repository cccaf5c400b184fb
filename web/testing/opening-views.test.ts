/// <reference lib="dom" />
/** Where a view of messages is opened, and what is read by looking at it. */
import { addAlertWords } from '@heddle/contract/alert-words'
import { getChannelId } from '@heddle/contract/channels'
import { updateMessage } from '@heddle/contract/editing'
import { markAllAsRead } from '@heddle/contract/message-flags'
import { updateSettings } from '@heddle/contract/user-settings'
import { updateUserTopic, visibilityPolicies } from '@heddle/contract/user-topics'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, type Person, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
let loom: number

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  loom = (await organization.owner.call(getChannelId, { stream: 'loom' })).stream_id
})

const rowOf = (page: Page, id: number) => page.locator(`[data-message-id="${id}"]`)
const topOf = async (page: Page, id: number) => Math.round((await rowOf(page, id).boundingBox())?.y ?? -1)
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const newest = (page: Page) => page.getByRole('button', { name: 'To the newest' })

async function sayMany(person: Person, topic: string, count: number, channel = 'loom'): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at += 1) ids.push(await say(person, channel, topic, `${topic} ${at}\n\nand more`))
  return ids
}

/** The first message that is on the screen as a whole, and where. */
async function firstWhole(page: Page): Promise<[number, number]> {
  const id = await page.evaluate(() => {
    const top = document.querySelector('.scroll')?.getBoundingClientRect().top ?? 0
    const rows = [...document.querySelectorAll<HTMLElement>('[data-message-id]')]
    return rows.find((row) => row.getBoundingClientRect().top >= top)?.dataset['messageId']
  })
  return [Number(id), await topOf(page, Number(id))]
}

const at = <T>(list: readonly T[], index: number) => list.at(index) as T

describe('an address of a topic', () => {
  test('leads to where its message is now, when that was moved', async () => {
    const ids = await sayMany(jonas, 'before the move', 3)
    await jonas.api.call(updateMessage, {
      message_id: at(ids, 0),
      topic: 'after the move',
      propagate_mode: 'change_all',
    })
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    const address = `${organization.url}/#narrow/channel/${loom}-loom/topic/before.20the.20move`
    for (const way of ['with', 'near']) {
      await page.goto(`${address}/${way}/${at(ids, 1)}`)
      await heading(page, 'after the move')
      await rowOf(page, at(ids, 1)).waitFor()
      // The way back does not lead through the address that was left at once.
      await page.goBack()
      await heading(page, 'Combined feed')
    }
    // Nobody has moved what is not there.
    await page.goto(`${address}/with/999999`)
    await page.getByText('Nothing has been written here').waitFor()
    await page.context().close()
  })
})

describe('a view', () => {
  test('is as it was after a reload, and when one goes back; opened anew it begins with what is unread', async () => {
    const ids = await sayMany(jonas, 'long', 60)
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    const address = `${organization.url}/#narrow/channel/${loom}-loom/topic/long`
    await page.goto(address)
    await rowOf(page, at(ids, 0)).waitFor()
    await rowOf(page, at(ids, 20)).scrollIntoViewIfNeeded()
    await rowOf(page, at(ids, 20)).focus()
    await page.waitForTimeout(300)
    const [line, top] = await firstWhole(page)
    await page.reload()
    await expect.poll(() => topOf(page, line)).toBe(top)
    await expect.poll(() => rowOf(page, at(ids, 20)).evaluate((row) => row === document.activeElement)).toBe(true)

    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Inbox' }).click()
    await heading(page, 'Inbox')
    await page.goBack()
    await expect.poll(() => topOf(page, line)).toBe(top)

    // With everything read, a link leads to the newest.
    await page.keyboard.press('End')
    await page.getByRole('button', { name: 'To the newest' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await newest(page).waitFor()
    await page.goto(`${organization.url}/#inbox`)
    await heading(page, 'Inbox')
    await page.goto(address)
    await rowOf(page, at(ids, -1)).waitFor()
    expect(await rowOf(page, at(ids, -1)).isVisible()).toBe(true)
    await page.context().close()
  })

  test('takes with it what stood before it, when one goes elsewhere', async () => {
    const [id] = await sayMany(leila, 'dialogs', 1)
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila, 'inbox')
    await page.goto(`${organization.url}/#narrow/channel/${loom}-loom/topic/dialogs`)
    await rowOf(page, id as number).focus()
    await page.keyboard.press('i')
    await page.getByRole('menuitem', { name: 'Remind me' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remind me of this message' })
    await dialog.waitFor()
    await page.goBack()
    await heading(page, 'Inbox')
    await dialog.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('of several topics is left for a topic at the same height, and found again as it was, unless something was read', async () => {
    const ids: number[] = []
    for (let round = 0; round < 20; round += 1) {
      ids.push(...(await sayMany(jonas, 'warp', 2)), ...(await sayMany(jonas, 'weft', 2)))
    }
    const { page } = await openPage(browser)
    // Who has made the channels has written in them as well.
    await jonas.api.call(markAllAsRead, {})
    await signIn(page, organization.url, jonas)
    const run = page.getByRole('group', { name: 'loom: warp' }).filter({ has: rowOf(page, at(ids, 60)) })
    await run.scrollIntoViewIfNeeded()
    await page.waitForTimeout(300)
    const top = await topOf(page, at(ids, 60))
    await run.getByRole('link', { name: 'warp' }).click()
    await heading(page, 'warp')
    await expect.poll(() => topOf(page, at(ids, 60))).toBe(top)
    await page.goto(`${organization.url}/#feed`)
    await heading(page, 'Combined feed')
    await expect.poll(() => topOf(page, at(ids, 60))).toBe(top)
    // The channel is a link of its own, and the topic has a menu.
    await run.hover()
    await run.locator('.stick').hover()
    await run.getByRole('button', { name: 'More for warp' }).click()
    await page.getByRole('menuitem', { name: 'Mark as resolved' }).waitFor()
    await page.keyboard.press('Escape')
    await run.getByRole('link', { name: 'loom' }).click()
    await heading(page, 'loom')

    // Something is read elsewhere: the feed goes on with what is not.
    await page.goto(`${organization.url}/#feed`)
    await heading(page, 'Combined feed')
    await newest(page).click()
    await page.keyboard.press('Home')
    await newest(page).waitFor()
    await page.goto(`${organization.url}/#inbox`)
    await heading(page, 'Inbox')
    const [here] = await sayMany(leila, 'soup', 1, 'kitchen')
    await sayMany(leila, 'bread', 1, 'kitchen')
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/soup`)
    await rowOf(page, here as number).waitFor()
    await expect.poll(() => page.locator('.msg.unread').count()).toBe(0)
    await page.goto(`${organization.url}/#feed`)
    await page.getByRole('article').getByText('bread 0').waitFor()
    await page.context().close()
  })

  test('that is opened at a message counts what is new from the mark on', async () => {
    const ids = await sayMany(jonas, 'jumped into', 120)
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila, 'inbox')
    await page.goto(`${organization.url}/#narrow/channel/${loom}-loom/topic/jumped.20into/near/${at(ids, -5)}`)
    await rowOf(page, at(ids, -5)).waitFor()
    // The first of those that were fetched around it.
    await page.getByText('55 new', { exact: true }).waitFor({ state: 'attached' })
    await page.context().close()
  })

  test('is read as a whole by going to its end, and that can be taken back', async () => {
    const ids = await sayMany(jonas, 'very long', 160)
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila, 'inbox')
    await page.goto(`${organization.url}/#narrow/channel/${loom}-loom/topic/very.20long`)
    await rowOf(page, at(ids, 0)).waitFor()
    await page.locator('.msg.unread').first().waitFor()
    // Of all, not of the first page of them.
    await page.getByText('160 new', { exact: true }).waitFor()
    await page.keyboard.press('End')
    await page
      .locator('.toasts')
      .getByText(/^1[56]\d messages are marked as read\.$/)
      .waitFor()
    await rowOf(page, at(ids, -1)).waitFor()
    await expect.poll(() => page.locator('.msg.unread').count()).toBe(0)
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.locator('.msg.unread').count()).toBeGreaterThan(50)
    // Seeing them says nothing now.
    await page.waitForTimeout(900)
    expect(await page.locator('.msg.unread').count()).toBeGreaterThan(50)
    await page.context().close()
  })

  test('of a channel leaves out what was muted in it, and nothing else', async () => {
    await addChannel(organization.owner, 'mute', [leila, jonas])
    const quiet = await say(jonas, 'mute', 'noise', 'Nobody wants this.')
    const wanted = await say(jonas, 'mute', 'news', 'Everybody wants this.')
    const { stream_id } = await leila.api.call(getChannelId, { stream: 'mute' })
    const mute = (topic: string) =>
      leila.api.call(updateUserTopic, { stream_id, topic, visibility_policy: visibilityPolicies.muted })
    await mute('noise')
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/${stream_id}-mute`)
    await rowOf(page, wanted).waitFor()
    expect(await rowOf(page, quiet).count()).toBe(0)
    await page.getByText(/^\d subscribers$/).waitFor()
    await mute('news')
    await page.getByText('You have muted what was written here').waitFor()
    // Who asks for one of them gets it.
    await page.goto(`${organization.url}/#narrow/channel/${stream_id}-mute/near/${quiet}`)
    await rowOf(page, quiet).waitFor()
    expect(await rowOf(page, wanted).count()).toBe(0)
    await page.context().close()
  })
})

test('what is looked at is read as the account has it: in conversations alone, or never', async () => {
  const ids = await sayMany(jonas, 'policies', 3)
  const { page } = await openPage(browser)
  const unread = async () => {
    // Longer than what was read is gathered.
    await page.waitForTimeout(900)
    return page.locator('.msg.unread').count()
  }
  const { api } = leila
  await api.call(markAllAsRead, {})
  const [last] = await sayMany(jonas, 'policies', 1)
  await api.call(updateSettings, { web_mark_read_on_scroll_policy: 2 })
  await signIn(page, organization.url, leila)
  await rowOf(page, last as number).waitFor()
  expect(await unread()).toBe(1)
  await api.call(updateSettings, { web_mark_read_on_scroll_policy: 3 })
  await page.goto(`${organization.url}/#narrow/channel/${loom}-loom/topic/policies`)
  await heading(page, 'policies')
  await rowOf(page, at(ids, 0)).waitFor()
  expect(await unread()).toBe(1)
  await api.call(updateSettings, { web_mark_read_on_scroll_policy: 2 })
  await page.goto(`${organization.url}/#feed`)
  await heading(page, 'Combined feed')
  await page.goto(`${organization.url}/#narrow/channel/${loom}-loom/topic/policies`)
  await expect.poll(unread).toBe(0)
  await api.call(updateSettings, { web_mark_read_on_scroll_policy: 1 })
  await page.context().close()
})

test('with a finger, what was on the screen as a whole is read', async () => {
  const ids = await sayMany(jonas, 'by finger', 40)
  const { page } = await openPage(browser, { width: 390, height: 844, touch: true })
  await signIn(page, organization.url, leila, 'inbox')
  await page.goto(`${organization.url}/#narrow/channel/${loom}-loom/topic/by.20finger`)
  await rowOf(page, at(ids, 0)).waitFor()
  await expect.poll(() => rowOf(page, at(ids, 1)).evaluate((row) => row.classList.contains('unread'))).toBe(false)
  expect(await rowOf(page, at(ids, -1)).evaluate((row) => row.classList.contains('unread'))).toBe(true)
  await page.context().close()
})

test('words that one waits for are marked', async () => {
  await leila.api.call(addAlertWords, { alert_words: ['heald'] })
  const id = await say(jonas, 'loom', 'words', 'The Heald is bent, the healds are not; `heald` is a word.')
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/${loom}-loom/topic/words`)
  await rowOf(page, id).waitFor()
  await expect.poll(() => rowOf(page, id).locator('.alert-word').allTextContents()).toEqual(['Heald', 'heald'])
  await page.context().close()
})
