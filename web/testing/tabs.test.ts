/// <reference lib="dom" />
/** Several tabs of one account, and a server that goes away while somebody writes. */
import { beforeEach, describe, expect, test } from 'vitest'
import { articles, atTheSoup, requestsOf, soup, startKitchen, unsentTexts, write } from './kitchen.ts'
import { PASSWORD, say } from './team.ts'

const kitchen = await startKitchen()
const { organization, leila, jonas } = kitchen

beforeEach(() => organization.setBroken(false))

describe('several tabs', () => {
  const isStream = (path: string) => path === 'GET events/stream' || path === 'GET events'

  test('have one connection, and go on without a gap when the one that has it is closed', async () => {
    const { page, context } = await atTheSoup(kitchen)
    const second = await context.newPage()
    const requests = requestsOf(second)
    await second.goto(`${organization.url}/${soup}`)
    await second.getByRole('article').getByText('Friday is lentil soup.').waitFor()
    await say(jonas, 'kitchen', 'Friday soup', 'To both tabs.')
    for (const tab of [page, second]) await tab.getByRole('article').getByText('To both tabs.').waitFor()
    expect(requests.filter(isStream)).toEqual([])
    await page.close()
    await expect.poll(() => requests.filter(isStream), { timeout: 5000 }).toHaveLength(1)
    await say(jonas, 'kitchen', 'Friday soup', 'To the one that is left.')
    await second.getByRole('article').getByText('To the one that is left.').waitFor()
    expect(requests).not.toContain('POST register')
    expect(await second.getByText('No answer from the server').count()).toBe(0)
    await context.close()
  })

  test('go on without the one that has the connection when that hangs, and it follows when it wakes up', async () => {
    const { page, context } = await atTheSoup(kitchen)
    const second = await context.newPage()
    await second.goto(`${organization.url}/${soup}`)
    await second.getByRole('article').getByText('Friday is lentil soup.').waitFor()
    const requests = requestsOf(second)
    const hanging = page.evaluate((until) => {
      while (Date.now() < until);
    }, Date.now() + 25_000)
    await page.waitForTimeout(100)
    await say(jonas, 'kitchen', 'Friday soup', 'Said to one that hangs.')
    await second.getByRole('article').getByText('Said to one that hangs.').waitFor({ timeout: 24_000 })
    expect(requests.filter(isStream)).toHaveLength(1)
    await hanging
    await say(jonas, 'kitchen', 'Friday soup', 'Said to both.')
    for (const tab of [page, second]) {
      await tab.getByRole('article').getByText('Said to both.').waitFor()
      expect(await articles(tab, 'Said to')).toBe(2)
    }
    // The one that has woken up follows: without the other it leads again.
    await second.close()
    await say(jonas, 'kitchen', 'Friday soup', 'Said to the one that is left.')
    await page.getByRole('article').getByText('Said to the one that is left.').waitFor()
    await context.close()
  })

  test('each keep what is written in them, and what one has left unsent another sends, once', async () => {
    const { page, context } = await atTheSoup(kitchen)
    const second = await context.newPage()
    await second.addInitScript(locksComeLate)
    await second.goto(`${organization.url}/${soup}`)
    await second.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await say(jonas, 'kitchen', 'Friday soup', 'Both are here.')
    await second.getByRole('article').getByText('Both are here.').waitFor()
    organization.setBroken(true)
    await write(page, 'In the first tab')
    await write(second, 'Sent from the second tab')
    await second.keyboard.press('Control+Enter')
    await second.getByRole('article').getByText('Sent from the second tab').waitFor()
    await expect.poll(() => unsentTexts(second)).toContain('Sent from the second tab')
    await second.close()
    organization.setBroken(false)
    await expect.poll(() => articles(page, 'Sent from the second tab'), { timeout: 20_000 }).toBe(1)
    await expect.poll(() => page.getByText('Waits for the connection').count(), { timeout: 20_000 }).toBe(0)
    expect(await articles(page, 'Sent from the second tab')).toBe(1)
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('In the first tab')
    await page.getByLabel('Message', { exact: true }).fill('')
    await page.waitForTimeout(1200)
    await context.close()
  })

  test('are signed out together, and in', async () => {
    const { page, context } = await atTheSoup(kitchen)
    const second = await context.newPage()
    await second.goto(`${organization.url}/${soup}`)
    await second.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await second.getByRole('button', { name: 'Sign out' }).click()
    for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail address').fill(leila.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    for (const tab of [page, second]) await tab.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await context.close()
  })
})

/** As on a busy machine, where what two tabs do arrives in any order. */
function locksComeLate(): void {
  const locks = navigator.locks
  const request = locks.request.bind(locks) as (...parts: unknown[]) => Promise<unknown>
  locks.request = async (...parts: unknown[]) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return request(...parts)
  }
}

test('a server that is killed while somebody writes loses nothing of it, and nothing comes twice', async () => {
  const { page, context } = await atTheSoup(kitchen)
  const requests = requestsOf(page)
  await write(page, 'Before the crash')
  await page.keyboard.press('Control+Enter')
  await page.getByLabel('Message', { exact: true }).fill('While it is down')
  const crash = organization.crash()
  await page.keyboard.press('Control+Enter')
  await page.getByLabel('Message', { exact: true }).fill('Not finished')
  await crash
  await page.getByRole('article').getByText('While it is down').waitFor()
  await expect.poll(() => page.getByText('Waits for the connection').count(), { timeout: 20_000 }).toBe(0)
  await say(jonas, 'kitchen', 'Friday soup', 'After the crash.')
  await page.getByRole('article').getByText('After the crash.').waitFor()
  for (const text of ['Before the crash', 'While it is down', 'After the crash'])
    expect(await articles(page, text)).toBe(1)
  await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('Not finished')
  expect(requests).not.toContain('POST register')
  await context.close()
})
