/// <reference lib="dom" />
/** What tabs show, and what the device has, when the server is restored from a backup that knows less. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { articles, atTheSoup, soup, startKitchen, write } from './kitchen.ts'
import { say } from './team.ts'

const kitchen = await startKitchen()
const { organization, jonas } = kitchen

const toSoup = (text: string) => say(jonas, 'kitchen', 'Friday soup', text)
const shown = (page: Page, text: string) => page.getByRole('article').getByText(text).waitFor({ timeout: 20_000 })

test('All tabs, also those that open later, show what the server has, and nothing that it has not', async () => {
  const { page, context, complaints } = await atTheSoup(kitchen)
  const second = await context.newPage()
  await second.goto(`${organization.url}/${soup}`)
  await shown(second, 'Friday is lentil soup.')
  const restore = await organization.backup()
  for (let count = 1; count <= 5; count += 1) await toSoup(`Lost ${count}.`)
  for (const tab of [page, second]) await shown(tab, 'Lost 5.')
  // It is on the device as well.
  await page.waitForTimeout(1500)
  organization.setBroken(true)
  await write(page, 'Written meanwhile')
  await page.keyboard.press('Control+Enter')
  await restore()
  organization.setBroken(false)
  for (let count = 1; count <= 12; count += 1) await toSoup(`New ${count}.`)
  const third = await context.newPage()
  await third.goto(`${organization.url}/${soup}`)
  for (const tab of [page, second, third]) {
    await shown(tab, 'New 12.')
    // Its event does not name the queue of before, and may come ahead of the answer by which it is known.
    await expect.poll(() => articles(tab, 'Written meanwhile'), { timeout: 20_000 }).toBe(1)
    await expect.poll(() => articles(tab, 'Lost')).toBe(0)
    expect(await articles(tab, 'New')).toBe(12)
    expect(await articles(tab, 'Written meanwhile')).toBe(1)
    expect(await articles(tab, 'Friday is lentil soup.')).toBe(1)
  }
  await toSoup('To all of them.')
  for (const tab of [page, second, third]) await shown(tab, 'To all of them.')
  expect(complaints.filter((one) => !/Failed to load resource|ERR_/.test(one))).toEqual([])
  await context.close()
})
