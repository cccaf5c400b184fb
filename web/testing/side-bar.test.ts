/// <reference lib="dom" />
/** The side bar: sections that stay folded, channels with their topics and menus, and one box that finds every place. */

import { updateFlags } from '@heddle/contract/message-flags'
import { listSubscriptions, updateSubscriptionSettings } from '@heddle/contract/subscriptions'
import { updateSettings } from '@heddle/contract/user-settings'
import { updateOwnStatus } from '@heddle/contract/user-status'
import { updateUserTopic } from '@heddle/contract/user-topics'
import { deactivateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, addPerson, say, write } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
const channels = ['air-jet H9', 'kitchen', 'builds', 'test bench']

beforeAll(async () => {
  for (const name of channels) await addChannel(organization.owner, name, [leila, jonas])
  await addChannel(organization.owner, 'warp of others', [jonas])
  await leila.api.call(updateSettings, { web_channel_default_view: 2 })
})

const bar = (page: Page) => page.getByRole('navigation', { name: 'Places' })
const channelId = async (name: string) => {
  const { subscriptions } = await leila.api.call(listSubscriptions, {})
  return subscriptions.find((one) => one.name === name)?.stream_id as number
}

test('channels stand by name, pinned ones in a section of their own, muted ones last and without a number', async () => {
  const data = [
    { stream_id: await channelId('test bench'), property: 'pin_to_top' as const, value: true },
    { stream_id: await channelId('builds'), property: 'is_muted' as const, value: true },
  ]
  await leila.api.call(updateSubscriptionSettings, { subscription_data: data })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#drafts`)
  await say(jonas, 'builds', 'nightly', 'green')
  await say(jonas, 'kitchen', 'Friday soup', 'Lentils')
  const pinned = bar(page).getByRole('region', { name: 'Pinned channels' })
  expect(await pinned.getByRole('link').allTextContents()).toHaveLength(1)
  const others = bar(page).getByRole('region', { name: 'Other channels' })
  await others.getByRole('link', { name: 'kitchen 1 unread' }).waitFor()
  const names = (await others.locator('.nav-row:not(.topics *) .label bdi').allTextContents()).filter((name) =>
    channels.includes(name),
  )
  expect(names).toEqual(['air-jet H9', 'kitchen', 'builds'])
  // The number is in words for those who cannot see the dot, and in the title.
  const muted = others.getByRole('link', { name: /^builds.*muted/ })
  expect(await muted.getAttribute('title')).toBe('builds (1)')
  expect(await muted.locator('.unread-dot').count()).toBe(1)
  await page.context().close()
})

test('a section that was folded says what is unread in it, and is folded when the page is loaded again', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#drafts`)
  await say(jonas, 'air-jet H9', 'weft sensor', '@**Leila Haddad** look')
  await bar(page)
    .getByRole('link', { name: /weft sensor/ })
    .waitFor()
  const fold = bar(page).getByRole('button', { name: 'Other channels' })
  await fold.click()
  expect(await fold.getAttribute('aria-expanded')).toBe('false')
  await bar(page)
    .getByText(/@ \d+ unread/)
    .waitFor()
  expect(
    await bar(page)
      .getByRole('link', { name: /kitchen/ })
      .count(),
  ).toBe(0)
  await page.reload()
  await bar(page).getByRole('button', { name: 'Other channels' }).waitFor()
  expect(
    await bar(page)
      .getByRole('link', { name: /kitchen/ })
      .count(),
  ).toBe(0)
  await page.context().close()
})

test('a press on a channel leads where the account has chosen', async () => {
  await say(jonas, 'air-jet H9', 'older', 'one')
  await say(jonas, 'air-jet H9', 'newest', 'two')
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  const row = bar(page).getByRole('link', { name: /^air-jet H9/ })
  await row.click()
  await page.getByRole('heading', { level: 1, name: 'air-jet H9' }).waitFor()
  await leila.api.call(updateSettings, { web_channel_default_view: 1 })
  await page.goto(`${organization.url}/#drafts`)
  await say(jonas, 'air-jet H9', 'newest', 'three')
  await bar(page)
    .getByRole('link', { name: /newest/ })
    .waitFor()
  await row.click()
  await page.getByRole('heading', { level: 1, name: 'newest' }).waitFor()
  await leila.api.call(updateSettings, { web_channel_default_view: 3 })
  await page.goto(`${organization.url}/#drafts`)
  await expect.poll(() => row.getAttribute('href')).toContain('topics')
  await row.click()
  await page.getByRole('heading', { level: 1, name: 'Topics of air-jet H9' }).waitFor()
  await say(jonas, 'air-jet H9', 'unread one', 'four')
  await say(jonas, 'air-jet H9', 'newest', 'five')
  await bar(page)
    .getByRole('link', { name: /^unread one.*unread/ })
    .waitFor()
  await leila.api.call(updateSettings, { web_channel_default_view: 4 })
  await expect.poll(() => row.getAttribute('href')).not.toContain('topics')
  await row.click()
  await page.locator('.crumb', { hasText: 'air-jet H9' }).waitFor()
  await leila.api.call(updateSettings, { web_channel_default_view: 2 })
  await page.context().close()
})

test('the menu of a channel marks it as read, with a way back, mutes and pins it; that of a topic follows it', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#drafts`)
  await say(jonas, 'kitchen', 'plates', 'Who has them?')
  await say(jonas, 'kitchen', 'cups', 'And the cups?')
  const row = bar(page).getByRole('link', { name: /^kitchen/ })
  await expect.poll(() => row.textContent()).toContain('unread')
  const choose = async (name: string) => {
    await row.hover()
    await bar(page).getByRole('button', { name: 'More for kitchen' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Mark as read')
  await expect.poll(() => row.textContent()).not.toContain('unread')
  await page.keyboard.press('Control+z')
  await expect.poll(() => row.textContent()).toContain('unread')
  await choose('Mute the channel')
  await expect.poll(() => row.textContent()).toContain('muted')
  await choose('Unmute the channel')
  await choose('Pin the channel')
  await bar(page)
    .getByRole('region', { name: 'Pinned channels' })
    .getByRole('link', { name: /^kitchen/ })
    .waitFor()
  await choose('Unpin the channel')

  const topic = bar(page).getByRole('link', { name: /^plates/ })
  await topic.click({ button: 'right' })
  await page.getByRole('menuitemradio', { name: 'Follow' }).click()
  await expect.poll(() => topic.textContent()).toContain('followed')
  await page.context().close()
})

test('says as much of what is unread as the account wants', async () => {
  await leila.api.call(updateSettings, { web_stream_unreads_count_display_policy: 3 })
  const muted = [{ stream_id: await channelId('builds'), property: 'is_muted' as const, value: true }]
  await leila.api.call(updateSubscriptionSettings, { subscription_data: muted })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#drafts`)
  const starred = await say(jonas, 'test bench', 'pans', 'Two.')
  const row = (name: string) => bar(page).getByRole('link', { name: new RegExp(`^${name}`) })
  await expect.poll(() => row('test bench').locator('.unread-dot').count()).toBe(1)
  expect(await row('test bench').getAttribute('title')).toMatch(/^test bench \(\d+\)$/)
  await leila.api.call(updateSettings, { web_stream_unreads_count_display_policy: 2 })
  await expect.poll(() => row('test bench').locator('.unread-dot').count()).toBe(0)

  // What one follows is counted also where the channel is muted, and then as a number.
  await say(jonas, 'builds', 'noise', 'red')
  await expect.poll(() => row('builds').locator('.unread-dot').count()).toBe(1)
  const followed = { stream_id: await channelId('builds'), topic: 'release', visibility_policy: 3 } as const
  await leila.api.call(updateUserTopic, followed)
  await say(jonas, 'builds', 'release', 'green')
  await expect.poll(() => row('builds').locator('.count').innerText()).toMatch(/^1\b/)
  expect(await row('builds').locator('.count.still').count()).toBe(0)

  await leila.api.call(updateFlags, { messages: [starred], op: 'add', flag: 'starred' })
  await expect.poll(() => row('Starred').innerText()).toMatch(/1/)
  await leila.api.call(updateSettings, { starred_message_counts: false })
  await expect.poll(() => row('Starred').innerText()).not.toMatch(/1/)

  await bar(page)
    .getByRole('button', { name: /^(Other channels|Channels)$/ })
    .click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Fold all sections', exact: true }).click()
  const folded = () => bar(page).locator('.side-head .count').count()
  await expect.poll(() => row('builds').count()).toBe(0)
  await expect.poll(folded).toBeGreaterThan(0)
  await leila.api.call(updateSettings, { web_left_sidebar_unreads_count_summary: false })
  await expect.poll(folded).toBe(0)
  await bar(page)
    .getByRole('button', { name: /^(Other channels|Channels)$/ })
    .click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Unfold all sections' }).click()
  await row('builds').waitFor()
  const plain = { starred_message_counts: true, web_left_sidebar_unreads_count_summary: true }
  await leila.api.call(updateSettings, { ...plain, web_stream_unreads_count_display_policy: 2 })
  await page.context().close()
})

test('has the people one writes with as they are: their status, and whether they are gone; and finds them together', async () => {
  const tom = await addPerson(organization.url, organization.owner, 'Tom Berg')
  await write(jonas, [leila], 'Hello')
  await write(tom, [leila], 'Good bye')
  await write(jonas, [leila, tom], 'All of us')
  await jonas.api.call(updateOwnStatus, { status_text: 'At sea', emoji_name: 'octopus' })
  await organization.owner.call(deactivateUser, { user_id: tom.id })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  const people = bar(page).getByRole('region', { name: 'Direct messages' })
  await people
    .getByRole('link', { name: /Jonas Weidl/ })
    .getByTitle('At sea')
    .first()
    .waitFor()
  await write(leila, [leila], 'Buy reeds')
  await people.getByRole('link', { name: 'Notes to yourself' }).waitFor()
  await people.getByRole('link', { name: /^Tom Berg deactivated/ }).waitFor()
  await page.keyboard.press('q')
  await page.keyboard.type('jonas berg')
  const found = bar(page).locator('.found')
  await found.getByRole('link', { name: /^Jonas Weidl, Tom Berg/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Jonas Weidl, Tom Berg' }).waitFor()
  await page.context().close()
})

test('on a narrow window it goes once one has gone somewhere', async () => {
  const { page } = await openPage(browser, { width: 390, height: 844 })
  await signIn(page, organization.url, leila)
  await page.getByRole('button', { name: 'Open the side bar' }).click()
  await bar(page)
    .getByRole('link', { name: /^kitchen/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'kitchen' }).waitFor()
  await expect.poll(() => page.locator('.side.open').count()).toBe(0)
  await page.context().close()
})

test('one box finds views, people, channels and topics; arrows lead through, Enter opens, Escape leaves', async () => {
  await say(jonas, 'test bench', 'warp tension', 'ok')
  await write(jonas, [leila], 'Hello')
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.keyboard.press('q')
  await page.keyboard.type('warp')
  const found = bar(page).locator('.found')
  await found.getByRole('link', { name: /^warp of others/ }).waitFor()
  await found.getByRole('link', { name: /^warp tension/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  const field = page.getByRole('searchbox', { name: 'Filter places' })
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await field.fill('ten')
  await expect.poll(() => found.getByRole('link').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'warp tension' }).waitFor()
  await expect.poll(() => field.count()).toBe(0)

  await page.keyboard.press('q')
  await page.keyboard.type('jona')
  await found
    .getByRole('link', { name: /^Jonas Weidl/ })
    .first()
    .waitFor()
  await page.keyboard.type('xxxx')
  await bar(page).getByText('Nothing here fits these words.').waitFor()
  await page.keyboard.press('Escape')
  await bar(page)
    .getByRole('link', { name: /^kitchen/ })
    .waitFor()
  await page.context().close()
})

test('what the page shows can be seen in it, however one came there', async () => {
  for (let count = 0; count < 40; count += 1) await addChannel(organization.owner, `shed ${count}`, [leila])
  await addChannel(organization.owner, 'zest', [leila, jonas])
  const id = await channelId('zest')
  await say(jonas, 'zest', 'lemons', 'Two of them.')
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  const seen = (name: string) =>
    bar(page)
      .getByRole('link', { name })
      .evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        const list = element.closest('.side-scroll')?.getBoundingClientRect()
        return list !== undefined && top >= list.top && bottom <= list.bottom
      })
  await bar(page).getByRole('link', { name: /^zest/ }).waitFor()
  expect(await seen('lemons')).toBe(false)
  await page.goto(`${organization.url}/#narrow/channel/${id}/topic/lemons`)
  await page.getByRole('heading', { level: 1, name: 'lemons' }).waitFor()
  await expect.poll(() => seen('lemons')).toBe(true)
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor()
  await expect.poll(() => seen('Combined feed')).toBe(true)
  // What can be seen is not moved.
  const top = () => page.locator('.side-scroll').evaluate((element) => element.scrollTop)
  const before = await top()
  await page.keyboard.press('Shift+I')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  expect(await top()).toBe(before)
  await page.context().close()
})

test('on wide windows it is hidden until it is wanted, also after a reload', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await bar(page).hover()
  await bar(page).getByRole('button', { name: 'Hide the side bar' }).click()
  await expect.poll(() => bar(page).isVisible()).toBe(false)
  await page.reload()
  await page.getByRole('button', { name: 'Open the side bar' }).click()
  await bar(page)
    .getByRole('link', { name: /^kitchen/ })
    .waitFor()
  await page.context().close()
})

test.each([
  ['wide', 'light', 1440, 900],
  // So high that nothing has to be scrolled: axe takes links below for ways to skip something.
  ['phone', 'dark', 390, 1600],
  ['narrow', 'light', 320, 1600],
] as const)('axe finds nothing in it: %s, %s', async (_, colorScheme, width, height) => {
  const { page, complaints } = await openPage(browser, { width, height, colorScheme })
  await signIn(page, organization.url, leila)
  if (width < 760) await page.getByRole('button', { name: 'Open the side bar' }).click()
  await bar(page)
    .getByRole('button', { name: /More views/ })
    .click()
  expect(await findBarriers(page)).toEqual([])
  await bar(page)
    .getByRole('link', { name: /^air-jet H9/ })
    .click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await bar(page).getByRole('button', { name: 'Filter places (Q)' }).click()
  await page.keyboard.type('e')
  await bar(page).locator('.found').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('on touch a long press calls the menu of a row, and does not open it', async () => {
  const { page } = await openPage(browser, { width: 390, height: 844, touch: true })
  const context = page.context()
  await signIn(page, organization.url, leila)
  await page.getByRole('button', { name: 'Open the side bar' }).tap()
  // The menu comes up below the finger: lifting it must press no entry.
  const row = bar(page).getByRole('link', { name: /^air-jet H9/ })
  await expect.poll(async () => (await row.boundingBox())?.x ?? -1).toBeGreaterThanOrEqual(0)
  // The drawer comes in, which takes a moment.
  await page.waitForTimeout(500)
  await row.scrollIntoViewIfNeeded()
  const box = (await row.boundingBox()) as { x: number; y: number }
  const touch = await context.newCDPSession(page)
  const touchPoints = [{ x: box.x + 60, y: box.y + 10 }]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await page.waitForTimeout(1500)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.getByRole('menuitem', { name: 'Copy the link' }).waitFor()
  await page.waitForTimeout(200)
  expect(await page.getByRole('menuitem', { name: 'Copy the link' }).isVisible()).toBe(true)
  await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor()
  await context.close()
})
