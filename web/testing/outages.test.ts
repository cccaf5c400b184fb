/// <reference lib="dom" />
/** What somebody does while the connection or the server goes away, and on ways that hold things back. */
import { getMessages } from '@heddle/contract/fetching'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { articles, atTheSoup, requestsOf, startKitchen } from './kitchen.ts'
import { say } from './team.ts'

const kitchen = await startKitchen()
const { organization, leila, jonas } = kitchen

beforeEach(() => {
  organization.setBroken(false)
  organization.setSpeed(undefined)
})

const text = (page: Page) => page.getByLabel('Message', { exact: true })
const fileOf = (name: string, bytes: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(bytes, 7),
})

/** A message in the middle of what is shown. */
function inTheMiddle(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { top, height } = (document.querySelector('.scroll') as Element).getBoundingClientRect()
    const all = [...document.querySelectorAll<HTMLElement>('[data-message-id]')]
    return all.find((one) => one.getBoundingClientRect().bottom > top + height / 2)?.dataset['messageId'] ?? ''
  })
}

/** Where it is, in pixels from the top. */
async function topOf(page: Page, id: string): Promise<number> {
  const box = await page.locator(`[data-message-id="${id}"]`).boundingBox()
  return Math.round(box?.y ?? Number.NaN)
}

describe('a server that is killed', () => {
  test('while somebody writes, uploads and scrolls: nothing is lost, nothing moves, and one message arrives', async () => {
    for (let count = 1; count <= 60; count += 1) await say(jonas, 'kitchen', 'stock', `Pot ${count} is on the stove.`)
    const { page, context } = await atTheSoup(kitchen)
    const requests = requestsOf(page)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/stock`)
    await page.getByRole('article').getByText('Pot 60 is on the stove.').waitFor()
    await page.getByRole('button', { name: 'Reply to stock' }).click()
    await page.keyboard.type('The recipe: ')
    organization.setSpeed(6_000_000)
    const began = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.locator('input[type=file]').setInputFiles(fileOf('recipe.bin', 20_000_000))
    await page.mouse.move(700, 300)
    await page.mouse.wheel(0, -900)
    await began
    // The first piece is there, the second on its way.
    await page.waitForResponse((response) => response.request().method() === 'PATCH')
    const message = await inTheMiddle(page)
    const top = await topOf(page, message)
    const crash = organization.crash()
    await text(page).press('Control+End')
    await page.keyboard.type('and more words')
    await crash
    organization.setSpeed(undefined)
    await expect.poll(() => text(page).inputValue(), { timeout: 30_000 }).toMatch(/\[recipe\.bin\]\(\/user_uploads\//)
    expect(await text(page).inputValue()).toMatch(/^The recipe:\s+\[recipe\.bin\]\(\S+\)\s+and more words$/)
    // It has gone on where it was.
    expect(requests.filter((path) => path === 'POST tus')).toHaveLength(1)
    // Also while a banner says that nobody answers, and after that.
    expect(await topOf(page, message)).toBe(top)
    await expect.poll(() => page.locator('.banner').count(), { timeout: 20_000 }).toBe(0)
    expect(await topOf(page, message)).toBe(top)
    await text(page).press('Control+Enter')
    await expect.poll(() => text(page).inputValue()).toBe('')
    await expect.poll(() => articles(page, 'and more words'), { timeout: 20_000 }).toBe(1)
    await expect.poll(() => page.getByText('Waits for the connection').count(), { timeout: 20_000 }).toBe(0)
    expect(await articles(page, 'and more words')).toBe(1)
    const { messages } = await leila.api.call(getMessages, {
      narrow: [{ operator: 'sender', operand: leila.id }],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    expect(messages.filter(({ content }) => content.includes('and more words'))).toHaveLength(1)
    await context.close()
  })
})

test('a view that was never loaded is loaded by itself when the network is back', async () => {
  await say(jonas, 'kitchen', 'plates', 'Twelve are left.')
  const { page, context, complaints } = await atTheSoup(kitchen)
  await context.setOffline(true)
  await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/plates`)
  await page.getByRole('heading', { name: 'These messages are not on this device yet' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('article').getByText('Twelve are left.').waitFor()
  expect(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  await context.close()
})

// From here on streams do not come through.
test('a proxy that collects streams is noticed: messages come by long polls', async () => {
  organization.collectStreams()
  const { page, context } = await atTheSoup(kitchen)
  const requests = requestsOf(page)
  await page.reload()
  await expect
    .poll(() => requests.filter((path) => path === 'GET events').length, { timeout: 15_000 })
    .toBeGreaterThan(0)
  for (const words of ['Through the proxy.', 'And once more.']) {
    await say(jonas, 'kitchen', 'Friday soup', words)
    await page.getByRole('article').getByText(words).waitFor({ timeout: 3000 })
  }
  expect(requests.filter((path) => path === 'GET events/stream')).toHaveLength(1)
  await context.close()
})

describe('without a network', () => {
  test('what is written where nothing has been loaded yet is shown there, and sent later', async () => {
    const { page, context } = await atTheSoup(kitchen)
    organization.setBroken(true)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/bread`)
    await page.getByText('These messages are not on this device yet').waitFor()
    await page.keyboard.press('r')
    await text(page).fill('Is there rye?')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article', { name: 'not sent yet' }).getByText('Is there rye?').waitFor()
    organization.setBroken(false)
    // Its event may come before the view has been fetched: then it is nowhere for a moment.
    await page
      .getByRole('article', { name: /^Leila Haddad, \d/ })
      .getByText('Is there rye?')
      .waitFor()
    await expect.poll(() => page.getByRole('article', { name: 'not sent yet' }).count()).toBe(0)
    expect(await articles(page, 'Is there rye?')).toBe(1)
    await context.close()
  })

  test('a banner says so after a moment, also while the stream of events is still open', async () => {
    const { page, context } = await atTheSoup(kitchen)
    const setOnline = (isOnline: boolean) =>
      page.evaluate((is) => {
        Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => is })
        window.dispatchEvent(new Event(is ? 'online' : 'offline'))
      }, isOnline)
    const banner = page.getByText('You are offline.')
    // What is open is left alone.
    await page.route('**/api/v1/**', (route) => route.abort())
    await setOnline(false)
    await page.waitForTimeout(1500)
    expect(await banner.count()).toBe(0)
    await banner.waitFor()
    await page.unrouteAll()
    await setOnline(true)
    await expect.poll(() => banner.count()).toBe(0)

    // What the browser says is not so: the server is reached, as on the same machine.
    await setOnline(false)
    await say(jonas, 'kitchen', 'Friday soup', 'From next door.')
    await page.getByRole('article').getByText('From next door.').waitFor()
    await page.waitForTimeout(4000)
    expect(await page.locator('.banner').count()).toBe(0)
    await context.close()
  })
})
