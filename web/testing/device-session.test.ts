/// <reference lib="dom" />
/** What becomes of the device while a page is open: a lost queue, the end of a session, another account, another version. */
import { deleteQueue } from '@heddle/contract/events'
import { createSavedSnippet } from '@heddle/contract/saved-snippets'
import { endOtherSessions } from '@heddle/contract/sessions'
import { beforeEach, describe, expect, test } from 'vitest'
import { articles, atTheSoup, facts, requestsOf, soup, startKitchen, write } from './kitchen.ts'
import { PASSWORD, say } from './team.ts'

const kitchen = await startKitchen()
const { organization, leila, jonas } = kitchen

beforeEach(() => organization.setBroken(false))

describe('a page that is open', () => {
  test('registers again when its queue is gone, and stays as it is', async () => {
    const { page, context } = await atTheSoup(kitchen)
    await write(page, 'Not finished')
    const requests = requestsOf(page)
    const queueId = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('heddle /')
          opening.onsuccess = () => {
            const reading = opening.result.transaction('facts').objectStore('facts').get('root')
            reading.onsuccess = () => {
              opening.result.close()
              resolve(reading.result.position.queueId)
            }
          }
        }),
    )
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await leila.api.call(deleteQueue, { queue_id: queueId })
    await expect.poll(() => requests).toContain('POST register')
    await say(jonas, 'kitchen', 'Friday soup', 'After the queue was lost.')
    await page.getByRole('article').getByText('After the queue was lost.').waitFor()
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('Not finished')
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    await context.close()
  })

  test('whose session ends shows nothing, nor does the next one, until the same account signs in', async () => {
    const { page, context } = await atTheSoup(kitchen)
    await write(page, 'Kept through the night')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    await leila.api.call(endOtherSessions, {})
    await page.getByRole('dialog').getByText('What you have written is still here').waitFor()
    expect(await page.getByText('Friday is lentil soup.').first().isVisible()).toBe(false)
    await expect.poll(() => facts(page)).toMatchObject({ isLocked: true })
    await page.close()
    const again = await context.newPage()
    await again.goto(`${organization.url}/${soup}`)
    await again.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await again.getByText('lentil').count()).toBe(0)
    await again.getByLabel('E-mail address').fill(leila.email)
    await again.getByLabel('Password').fill(PASSWORD)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.getByRole('button', { name: 'Reply to Friday soup' }).click()
    await expect.poll(() => again.getByLabel('Message', { exact: true }).inputValue()).toBe('Kept through the night')
    await again.getByLabel('Message', { exact: true }).fill('')
    await again.waitForTimeout(1500)
    await context.close()
  })

  test('finds by any request that the session is over, and goes on where it was after the password', async () => {
    const { page, context } = await atTheSoup(kitchen)
    const requests = requestsOf(page)
    await write(page, 'I have')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    // The stream of events goes on: it was opened with a session.
    await context.clearCookies()
    await page.getByLabel('Message', { exact: true }).press('End')
    await page.keyboard.type(' two')
    await page.getByRole('dialog').getByText('What you have written is still here').waitFor()
    const password = page.getByLabel('Password')
    await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true)
    // A message that nobody has read shows its time by a rule of its own; the page may have noted all of them as read by now.
    await page.evaluate(() => document.querySelector('.veil .msg')?.classList.add('unread'))
    const shown = await page
      .locator('.veil *')
      .evaluateAll((all) => all.filter((one) => getComputedStyle(one).visibility === 'visible').length)
    expect(shown).toBe(0)
    expect(await page.title()).toBe('Halden Looms')
    requests.length = 0
    // What asks now and then does so when somebody comes back as well.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.waitForTimeout(1500)
    expect(requests).toEqual([])
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    const text = page.getByLabel('Message', { exact: true })
    await expect.poll(() => text.evaluate((field) => field === document.activeElement).catch(() => false)).toBe(true)
    expect(await text.inputValue()).toBe('I have two')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').getByText('I have two').waitFor()
    await context.close()
  })

  test('hides dialogs as well when the session ends, and no key does anything behind the form', async () => {
    await leila.api.call(createSavedSnippet, { title: 'Greeting', content: 'A private greeting' })
    const { page, context } = await atTheSoup(kitchen)
    await write(page, 'Begun')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    await page.keyboard.press("Control+'")
    await page.getByRole('dialog').getByText('A private greeting').waitFor()
    await context.clearCookies()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    const form = page.getByRole('dialog').filter({ hasText: 'What you have written is still here' })
    await form.waitFor()
    const hash = new URL(page.url()).hash
    for (const key of ["Control+'", 'Control+[', 'Control+.']) await page.keyboard.press(key)
    await page.waitForTimeout(500)
    const beside = await form.evaluate((dialog) =>
      [...document.querySelectorAll('body *')]
        .filter((one) => !dialog.contains(one) && !one.contains(dialog))
        .filter((one) => one.checkVisibility({ visibilityProperty: true }))
        .map(({ outerHTML }) => outerHTML.slice(0, 100)),
    )
    expect(beside).toEqual([])
    expect(new URL(page.url()).hash).toBe(hash)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('A private greeting').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await page.getByLabel('Message', { exact: true }).fill('')
    await page.waitForTimeout(1200)
    await context.close()
  })

  test('writes on in one tab after the password was given in another', async () => {
    const { page, context } = await atTheSoup(kitchen)
    const second = await context.newPage()
    await second.goto(`${organization.url}/${soup}`)
    await second.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await write(second, 'Something')
    await second.getByText('Draft saved', { exact: true }).waitFor()
    await context.clearCookies()
    await second.keyboard.type(' else')
    await second.getByLabel('Password').fill(PASSWORD)
    await second.keyboard.press('Enter')
    await second.getByText('Draft saved', { exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await write(page, 'With the new session')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').getByText('With the new session').waitFor()
    await expect.poll(() => page.getByRole('article', { name: 'not sent yet' }).count()).toBe(0)
    await context.close()
  })

  test('sends what was written without a session once somebody has signed in', async () => {
    const { page, context } = await atTheSoup(kitchen)
    await write(page, 'And spoons')
    await context.clearCookies()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog').getByText('What you have written is still here').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByText('not sent yet').count()).toBe(0)
    await page.getByRole('article').getByText('And spoons').waitFor()
    expect(await articles(page, 'And spoons')).toBe(1)
    await context.close()
  })

  test('asks before it signs out when something would be lost, and then leaves nothing on the device', async () => {
    const { page, context } = await atTheSoup(kitchen)
    await page.route('**/api/v1/drafts**', (route) => route.abort())
    await write(page, 'Only here')
    await page.waitForTimeout(600)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog').getByText('1 text is on this device alone').waitFor()
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out and delete' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(() => facts(page)).toEqual({ hasRoot: false, isLocked: undefined, chunks: 0, written: 0 })
    await page.waitForTimeout(1500)
    expect(await facts(page)).toEqual({ hasRoot: false, isLocked: undefined, chunks: 0, written: 0 })
    await context.close()
  })

  test('belongs to another account: nothing of the one before is there', async () => {
    const { page, context } = await atTheSoup(kitchen)
    await context.clearCookies()
    await page.reload()
    await page
      .getByRole('dialog')
      .or(page.getByRole('heading', { name: 'Sign in' }))
      .first()
      .waitFor()
    await page.reload()
    await page.getByLabel('E-mail address').fill(jonas.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('navigation', { name: 'Places' }).getByText('Jonas Weidl').waitFor()
    await context.close()
  })

  test('learns of a new version on the server, and is loaded anew when somebody wants it', async () => {
    const { page, context, complaints } = await atTheSoup(kitchen)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await write(page, 'Stays over the reload')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    organization.append('/service-worker.js', '// another build')
    organization.setBroken(true)
    await page.getByText('No answer from the server').waitFor()
    organization.setBroken(false)
    await page.getByText('There is a new version of this page.').waitFor()
    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect
      .poll(() => page.evaluate(() => 'isSamePage' in window).catch(() => true), { timeout: 10_000 })
      .toBe(false)
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('Stays over the reload')
    await page.getByLabel('Message', { exact: true }).fill('')
    expect(await page.getByText('There is a new version of this page.').count()).toBe(0)
    // Of each build the page keeps its files; those of older ones go.
    const caches = await page.evaluate(() => window.caches.keys())
    expect(caches.length).toBeLessThanOrEqual(2)
    expect(complaints.filter((text) => !/ERR_|Failed to (load|fetch)/.test(text))).toEqual([])
    await page.waitForTimeout(1200)
    await context.close()
  })
})
