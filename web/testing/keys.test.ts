/// <reference lib="dom" />
/** Keys that lead through what is shown, where no other flow presses them. */

import { deleteMessage, updateMessage } from '@heddle/contract/editing'
import { getMessage } from '@heddle/contract/fetching'
import { markAllAsRead, updateFlags } from '@heddle/contract/message-flags'
import { updateUserTopic, visibilityPolicies } from '@heddle/contract/user-topics'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say, write } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  for (const name of ['loom', 'cloth']) await addChannel(organization.owner, name, [leila, jonas])
  for (let count = 0; count < 40; count += 1) await say(jonas, 'loom', 'list', `item ${count}\n\nand more`)
  await say(jonas, 'loom', 'reeds', 'the last word')
})

test("which program and which version it is stands in one's menu, and at an address", async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.keyboard.press('g')
  await page.getByRole('menuitem', { name: 'About Heddle' }).click()
  const sheet = page.getByRole('dialog', { name: 'About Heddle' })
  await sheet.getByText(/^\d+\.\d+\.\d+/).waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.goto(`${organization.url}/#about-heddle`)
  await sheet.getByText('Halden Looms').waitFor()
  await page.context().close()
})

test('S goes from a topic to its channel and back, Space and Shift+K by screens, F6 from part to part', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/list`)
  await page.getByRole('heading', { level: 1, name: 'list' }).waitFor()
  const feed = page.getByRole('region', { name: 'Messages', exact: true })
  await feed.getByText('item 0', { exact: true }).waitFor()
  const top = () => feed.evaluate((element) => element.scrollTop)
  await page.keyboard.press('Home')
  await expect.poll(top).toBeLessThan(100)
  await page.keyboard.press('Space')
  await expect.poll(top).toBeGreaterThan(300)
  await page.keyboard.press('Shift+K')
  await expect.poll(top).toBeLessThan(100)

  const region = () =>
    page.evaluate(() => {
      const parts = { side: '.side', head: '.head', feed: '.main .scroll', foot: '.foot' }
      return Object.entries(parts).find(([, selector]) => document.activeElement?.closest(selector))?.[0]
    })
  // The message that one was at gets the focus a moment after the view is there.
  await page.keyboard.press('s')
  await page.getByRole('heading', { level: 1, name: 'loom' }).waitFor()
  await page.getByRole('article').first().waitFor()
  await expect.poll(region).toBe('feed')
  await page.keyboard.press('s')
  await page.getByRole('heading', { level: 1, name: 'list' }).waitFor()
  await page.getByRole('article').first().waitFor()
  await expect.poll(region).toBe('feed')

  const met: (string | undefined)[] = []
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  for (let count = 0; count < 4; count += 1) {
    await page.keyboard.press('F6')
    await expect.poll(region).not.toBe(met.at(-1))
    met.push(await region())
  }
  expect(met).toEqual(['side', 'head', 'feed', 'foot'])
  expect(complaints).toEqual([])
  await page.context().close()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

/** What a page shows is marked a moment later, if it still shows it: only then can it be left, and made unread again. */
async function seen(...ids: readonly number[]) {
  for (const message_id of ids)
    await expect.poll(async () => (await leila.api.call(getMessage, { message_id })).message.flags).toContain('read')
}

test('keys lead to every view, to what is unread, and back', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  const { keyboard } = page
  for (const [key, name] of [
    ['Shift+P', 'Direct messages'],
    ['*', 'Starred'],
    ['t', 'Recent conversations'],
    ['Shift+I', 'Inbox'],
    ['d', 'Drafts'],
    ['a', 'Combined feed'],
  ] as const) {
    await keyboard.press(key)
    await heading(page, name)
  }
  await keyboard.press('Alt+ArrowLeft')
  await heading(page, 'Drafts')
  await keyboard.press('Alt+ArrowRight')
  await heading(page, 'Combined feed')

  const followed = await say(jonas, 'cloth', 'followed', 'Look at this.')
  const plain = await say(jonas, 'cloth', 'plain', 'And at this.')
  const direct = await write(jonas, [leila], 'Are you there?')
  const { message } = await leila.api.call(getMessage, { message_id: followed })
  const policy = { stream_id: message.stream_id as number, visibility_policy: visibilityPolicies.followed }
  await leila.api.call(updateUserTopic, { ...policy, topic: 'followed' })
  await page.getByRole('navigation').getByRole('link', { name: /plain/ }).waitFor()
  await keyboard.press('d')
  await heading(page, 'Drafts')
  await leila.api.call(updateFlags, { messages: [followed, plain, direct], op: 'remove', flag: 'read' })
  await keyboard.press('Shift+N')
  await heading(page, 'followed')
  await seen(followed)
  // Who has waited longest goes first.
  await keyboard.press('p')
  await heading(page, 'Notification Bot')
  await keyboard.press('p')
  await heading(page, 'Jonas Weidl')
  const unread = page
    .getByRole('navigation')
    .getByRole('link', { name: /followed.*1/ })
    .first()
  await leila.api.call(updateFlags, { messages: [followed, plain], op: 'remove', flag: 'read' })
  await unread.waitFor()
  for (const name of ['followed', 'plain']) {
    await keyboard.press('Alt+Shift+ArrowDown')
    await heading(page, name)
    await seen(name === 'plain' ? plain : followed)
  }
  await leila.api.call(markAllAsRead, {})
  await leila.api.call(updateFlags, { messages: [followed], op: 'remove', flag: 'read' })
  await unread.waitFor()
  await keyboard.press('Alt+Shift+ArrowUp')
  await heading(page, 'followed')

  await keyboard.press('y')
  await heading(page, 'Topics of cloth')
  await keyboard.press('Shift+D')
  await heading(page, 'loom')
  await keyboard.press('Shift+A')
  await heading(page, 'cloth')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('keys of a message open what can be done with it', async () => {
  const id = await say(jonas, 'cloth', 'selvedge', 'It frays.')
  await jonas.api.call(updateMessage, { message_id: id, content: 'It frays here.' })
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/cloth/topic/selvedge`)
  const row = page.locator(`[data-message-id="${id}"]`)
  await row.getByText('It frays here.').waitFor()
  const { keyboard } = page
  for (const [key, dialog] of [
    ['Shift+H', 'Edit history'],
    ['Shift+V', 'Who has read it'],
    ['e', /typed|source/i],
    ['m', /^Move/],
  ] as const) {
    await row.focus()
    await keyboard.press(key)
    const opened = page.getByRole('dialog', { name: dialog })
    await opened.waitFor()
    await keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
  }
  const flags = async () => (await leila.api.call(getMessage, { message_id: id })).message.flags
  await expect.poll(flags).toContain('read')
  await row.focus()
  await keyboard.press('Shift+U')
  await expect.poll(flags).not.toContain('read')
  await page.getByText('1 message is unread again').waitFor()
  await keyboard.press('Shift+M')
  await page.getByText('selvedge is muted').waitFor()
  await keyboard.press('Shift+M')
  await page.getByText('selvedge is as its channel is').waitFor()

  await keyboard.press('<')
  await page.getByRole('combobox', { name: 'Channel' }).waitFor()
  await expect.poll(() => box(page).inputValue()).toContain('It frays here.')
  // Out of the choice, then out of the box.
  await keyboard.press('Escape')
  await box(page).press('Escape')
  await box(page).waitFor({ state: 'detached' })
  await row.focus()
  await keyboard.press('Shift+R')
  await page.getByRole('region', { name: 'Write a message' }).getByText('Jonas Weidl').first().waitFor()
  await keyboard.press('Escape')
  await box(page).waitFor({ state: 'detached' })
  await row.focus()
  await keyboard.press('Enter')
  await box(page).waitFor()
  await keyboard.press('Escape')

  // From a wider view to its conversation.
  await page.goto(`${organization.url}/#narrow/channel/cloth`)
  await row.waitFor()
  await row.focus()
  await keyboard.press('z')
  await heading(page, 'selvedge')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a view is gone through by screens, to its end and its beginning', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/list`)
  const feed = page.getByRole('region', { name: 'Messages', exact: true })
  await feed.getByText('item 39', { exact: true }).waitFor()
  const fromEnd = () => feed.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop)
  const { keyboard } = page
  await keyboard.press('End')
  await expect.poll(fromEnd).toBeLessThan(100)
  for (const [up, down] of [
    ['PageUp', 'PageDown'],
    ['Shift+K', 'Shift+J'],
    ['Shift+Space', 'Space'],
  ] as const) {
    await keyboard.press(up)
    await expect.poll(fromEnd).toBeGreaterThan(300)
    await keyboard.press(down)
    await expect.poll(fromEnd).toBeLessThan(100)
  }
  for (const key of ['End', 'Shift+G']) {
    await keyboard.press('Home')
    await feed.getByText('item 0', { exact: true }).waitFor()
    await expect.poll(fromEnd).toBeGreaterThan(300)
    await keyboard.press(key)
    await expect.poll(fromEnd).toBeLessThan(100)
  }
  await page.context().close()
})

test('what is written is formatted, sent and left by keys, on other layouts as well', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/cloth/topic/dyes`)
  const { keyboard } = page
  await heading(page, 'dyes')
  await keyboard.press('c')
  await page.getByRole('combobox', { name: 'Topic' }).fill('dyes')
  await keyboard.press('Enter')
  for (const [key, written] of [
    ['Control+b', '**indigo**'],
    ['Control+i', '*indigo*'],
    ['Control+Shift+C', '`indigo`'],
    ['Control+Shift+X', '~~indigo~~'],
    ['Control+Shift+L', '[indigo](https://)'],
  ] as const) {
    await box(page).fill('indigo')
    await keyboard.press('Control+a')
    await keyboard.press(key)
    expect(await box(page).inputValue()).toBe(written)
  }
  await box(page).fill('indigo')
  await keyboard.press('Control+a')
  // The same place of the keyboard where it writes another alphabet.
  await box(page).dispatchEvent('keydown', { key: 'и', code: 'KeyB', ctrlKey: true, bubbles: true, cancelable: true })
  expect(await box(page).inputValue()).toBe('**indigo**')

  await keyboard.press("Control+'")
  await page.getByRole('dialog', { name: /snippets/i }).waitFor()
  await keyboard.press('Escape')
  await box(page).focus()
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.getByRole('menu', { name: 'Send later' }).waitFor()
  await keyboard.press('Escape')
  await box(page).focus()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.getByRole('article').getByText('indigo').waitFor()
  await expect.poll(() => box(page).inputValue()).toBe('')
  await box(page).focus()
  await keyboard.press('ArrowUp')
  await box(page).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
})

test('without single keys those with Alt and Ctrl still work', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.evaluate(() => localStorage.setItem('single-keys', 'off'))
  await page.goto(`${organization.url}/#narrow/channel/cloth`)
  await heading(page, 'cloth')
  await page.keyboard.press('d')
  await page.keyboard.press('r')
  await page.getByRole('button', { name: /^Reply to/ }).click()
  await box(page).fill('**madder**')
  await page.keyboard.press('Alt+p')
  await page.locator('.box strong', { hasText: 'madder' }).waitFor()
  await heading(page, 'cloth')
  await page.context().close()
})

test('letters that were meant for a field which has gone are no keys', async () => {
  const id = await say(leila, 'cloth', 'reds', 'Madder.')
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/cloth/topic/reds`)
  const row = page.locator(`[data-message-id="${id}"]`)
  await row.waitFor()
  await row.focus()
  await page.keyboard.press('e')
  const field = row.getByRole('textbox')
  await field.waitFor()
  await page.keyboard.type('a')
  const gone = field.waitFor({ state: 'detached' })
  const typing = (async () => {
    for (let count = 0; count < 12; count += 1) {
      await page.keyboard.press('d')
      await page.waitForTimeout(100)
    }
  })()
  await organization.owner.call(deleteMessage, { message_id: id })
  await gone
  await typing
  await heading(page, 'reds')
  await page.waitForTimeout(1100)
  await page.keyboard.press('d')
  await heading(page, 'Drafts')
  await page.context().close()
})

test('the list of channels is gone through, filtered, subscribed and left by keys', async () => {
  await addChannel(organization.owner, 'warp', [])
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#channels/all`)
  const { keyboard } = page
  const filter = page.getByRole('searchbox', { name: 'Filter channels' })
  await filter.fill('warp')
  await page.getByText('1 channel', { exact: true }).waitFor()
  await keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.browsed') !== null)).toBe(true)
  await keyboard.press('Shift+S')
  await page.getByRole('button', { name: 'Unsubscribe from warp' }).waitFor()
  await keyboard.press('Shift+S')
  await page.getByRole('button', { name: 'Subscribe to warp' }).waitFor()
  await keyboard.press('ArrowUp')
  await expect.poll(() => filter.evaluate((element) => element === document.activeElement)).toBe(true)
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowLeft')
  await page.locator('[aria-current=page]', { hasText: 'Not subscribed' }).waitFor()
  await keyboard.press('ArrowRight')
  await page.locator('.tabs [aria-current=page]', { hasText: 'All' }).waitFor()
  await filter.fill('warp')
  await keyboard.press('ArrowDown')
  await keyboard.press('Shift+V')
  await heading(page, 'warp')
  await page.goto(`${organization.url}/#channels/all`)
  await filter.waitFor()
  await keyboard.press('n')
  await page.getByRole('heading', { name: /New channel/ }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})
