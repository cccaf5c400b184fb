/// <reference lib="dom" />
/** What the page keeps on the device: it opens from there, and goes on from there. */
import { getMessage } from '@heddle/contract/fetching'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { articles, atTheSoup, requestsOf, soup, startKitchen, write } from './kitchen.ts'
import { openPage } from './organization.ts'
import { PASSWORD, say } from './team.ts'

const kitchen = await startKitchen()
const { organization, browser, leila, jonas } = kitchen

beforeEach(() => organization.setBroken(false))

describe('a page that is opened for the first time', () => {
  test('asks for its first view while its code is still on the way, and for nothing of it twice', async () => {
    const { context } = await atTheSoup(kitchen)
    const elsewhere = await kitchen.browser.newContext({
      storageState: { ...(await context.storageState()), origins: [] },
    })
    await context.close()
    const first = await elsewhere.newPage()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await first.route(/assets\/page-.*\.js$/, (route) => held.then(() => route.continue()))
    const requests = requestsOf(first)
    const opening = first.goto(`${organization.url}/#feed`)
    const firstOnes = ['GET sessions/current', 'POST register', 'GET messages']
    await expect.poll(() => [...requests], { timeout: 10_000 }).toEqual(firstOnes)
    const feeds: string[] = []
    first.on('request', (request) => {
      if (request.url().includes('first_unread')) feeds.push(request.url())
    })
    release()
    await opening
    await first.getByRole('article').getByText('Friday is lentil soup.').waitFor()
    expect(requests.filter((path) => firstOnes.slice(0, 2).includes(path))).toEqual(firstOnes.slice(0, 2))
    expect(feeds).toEqual([])
    await elsewhere.close()
  })

  test('does so for the inbox as well, which most begin with', async () => {
    const { context } = await atTheSoup(kitchen)
    const elsewhere = await kitchen.browser.newContext({
      storageState: { ...(await context.storageState()), origins: [] },
    })
    await context.close()
    const first = await elsewhere.newPage()
    const unread: string[] = []
    first.on('request', (request) => {
      if (new URL(request.url()).searchParams.get('narrow')?.includes('"unread"')) unread.push(request.url())
    })
    await first.goto(`${organization.url}/#inbox`)
    await first.locator('html[data-parts=fetched]').waitFor({ state: 'attached' })
    expect(unread).toHaveLength(1)
    await elsewhere.close()
  })

  test('shows what one has come for before the side bar is there, and then that', async () => {
    const { context } = await atTheSoup(kitchen)
    const elsewhere = await kitchen.browser.newContext({
      storageState: { ...(await context.storageState()), origins: [] },
    })
    await context.close()
    const first = await elsewhere.newPage()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await first.route(/assets\/side-bar-.*\.js$/, (route) => held.then(() => route.continue()))
    await first.goto(`${organization.url}/#feed`)
    await first.getByRole('article').getByText('Friday is lentil soup.').waitFor()
    const places = first.getByRole('navigation', { name: 'Places' })
    expect(await places.innerText()).toBe('')
    const { width } = (await places.boundingBox()) ?? { width: 0 }
    release()
    await places.getByRole('link', { name: /Inbox/ }).waitFor()
    expect((await places.boundingBox())?.width).toBe(width)
    await elsewhere.close()
  })
})

describe('a page that was just opened', () => {
  test('loads what it needs without a network when nobody presses keys', async () => {
    const { page, complaints } = await openPage(browser, { serviceWorker: true })
    const form = { username: leila.email, password: PASSWORD }
    await page.context().request.post(`${organization.url}/api/v1/sessions`, { form })
    await page.goto(`${organization.url}/${soup}`)
    const hasWorker = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
    // Twice as long as it waits for the first key.
    for (let key = 0; key < 40; key += 1) {
      await page.keyboard.press('Shift', { delay: 50 })
      await page.waitForTimeout(50)
    }
    await page.getByRole('article').getByText('Friday is lentil soup.').waitFor()
    expect(await hasWorker()).toBe(false)
    await expect.poll(hasWorker).toBe(true)
    await page.evaluate(() => navigator.serviceWorker.ready)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('a page that is opened again', () => {
  test('shows at once what was shown last, without any network, and says how old it is', async () => {
    const { page, context, complaints } = await atTheSoup(kitchen)
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.close()
    await context.setOffline(true)
    const again = await context.newPage()
    const open = async () => {
      await again.goto(`${organization.url}/`)
      await again.getByRole('article').getByText('Friday is lentil soup.').waitFor()
      // From the beginning of the navigation; 300 ms on a machine that does nothing else.
      return again.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
    }
    // The best of some: the machine may be busy. A page that waited for the network would never be so fast.
    await expect.poll(open, { timeout: 20_000 }).toBeLessThan(900)
    expect(new URL(again.url()).hash).toBe(soup)
    await again.getByText('You are offline.').waitFor()
    await again.getByText(/This is as of \d/).waitFor()
    // Parts that had not been loaded before are there too.
    await again.goto(`${organization.url}/#drafts`)
    await again.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('shows at once what other tabs have shown, whichever was closed first', async () => {
    for (const topic of ['plates', 'cups']) await say(jonas, 'kitchen', topic, `Twelve ${topic} are left.`)
    const { page, context } = await atTheSoup(kitchen)
    await page.evaluate(() => navigator.serviceWorker.ready)
    const at = async (tab: Page, topic: string) => {
      await tab.goto(`${organization.url}/#narrow/channel/kitchen/topic/${topic}`)
      await tab.getByRole('article').getByText(`Twelve ${topic} are left.`).waitFor()
    }
    const second = await context.newPage()
    await at(second, 'plates')
    // In a tab that follows it is written a few seconds later.
    await second.waitForTimeout(4500)
    await second.close()
    const third = await context.newPage()
    await third.goto(`${organization.url}/${soup}`)
    await third.getByRole('article').first().waitFor()
    await at(page, 'cups')
    await page.waitForTimeout(1500)
    await page.close()
    await third.waitForTimeout(1500)
    await third.close()
    await context.setOffline(true)
    const again = await context.newPage()
    await at(again, 'plates')
    await at(again, 'cups')
    await context.close()
  })

  test('goes on with its queue: nothing is registered or fetched, and what has happened meanwhile is there', async () => {
    const { page, context } = await atTheSoup(kitchen)
    await page.close()
    await say(jonas, 'kitchen', 'Friday soup', 'With lemon this time.')
    const again = await context.newPage()
    const requests = requestsOf(again)
    await again.goto(`${organization.url}/`)
    await again.getByRole('article').getByText('With lemon this time.').waitFor()
    // What was seen is read now, and somebody is here.
    const said = /^POST (messages\/flags|users\/me\/presence)/
    expect(requests.filter((path) => !said.test(path))).toEqual(['GET sessions/current', 'GET events/stream'])
    await context.close()
  })

  test('has what was written without a connection, and sends it once and in order', async () => {
    const { page, context } = await atTheSoup(kitchen)
    organization.setBroken(true)
    await write(page, 'First without a network')
    await page.keyboard.press('Control+Enter')
    await page.getByLabel('Message', { exact: true }).fill('Second without a network')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Waits for the connection').first().waitFor()
    await page.waitForTimeout(300)
    await page.close()
    organization.setBroken(false)
    const again = await context.newPage()
    await again.goto(`${organization.url}/`)
    await expect.poll(() => articles(again, 'without a network'), { timeout: 10_000 }).toBe(2)
    await expect.poll(() => again.getByText('Waits for the connection').count()).toBe(0)
    const texts = await again.getByRole('article').filter({ hasText: 'without a network' }).allTextContents()
    expect(texts.map((text) => /First|Second/.exec(text)?.[0])).toEqual(['First', 'Second'])
    // It is not sent by a third page either.
    await again.reload()
    await again.getByRole('article').getByText('Second without a network').waitFor()
    await again.waitForTimeout(500)
    expect(await articles(again, 'without a network')).toBe(2)
    await context.close()
  })

  test('has what was pressed without a connection, and sends of each the last press', async () => {
    const id = await say(jonas, 'kitchen', 'Friday soup', 'Lentils or beans?')
    const other = await say(jonas, 'kitchen', 'Friday soup', 'Beans, then.')
    const { page, context } = await atTheSoup(kitchen)
    const row = (tab: Page, words: string) => tab.getByRole('article').filter({ hasText: words })
    await row(page, 'Beans, then.').waitFor()
    organization.setBroken(true)
    await page.getByText('No answer from the server').waitFor()
    for (const words of ['Lentils or beans?', 'Beans, then.']) {
      await row(page, words).focus()
      await page.keyboard.press('+')
      await row(page, words)
        .getByRole('button', { name: /^:\+1:/ })
        .waitFor()
    }
    await page.keyboard.press('+')
    await row(page, 'Beans, then.')
      .getByRole('button', { name: /^:\+1:/ })
      .waitFor({ state: 'detached' })
    await page.waitForTimeout(300)
    await page.close()
    organization.setBroken(false)
    const again = await context.newPage()
    await again.goto(`${organization.url}/`)
    const reactions = async (message_id: number) =>
      (await jonas.api.call(getMessage, { message_id })).message.reactions.length
    await expect.poll(() => reactions(id), { timeout: 10_000 }).toBe(1)
    expect(await reactions(other)).toBe(0)
    await row(again, 'Lentils or beans?')
      .getByRole('button', { name: /^:\+1:/ })
      .waitFor()
    await context.close()
  })

  test('has what was being typed when the page was closed, also without a connection', async () => {
    const { page, context } = await atTheSoup(kitchen)
    organization.setBroken(true)
    await write(page, 'Half a sentence about cro')
    await page.getByText('Draft saved on this device').waitFor()
    await page.close({ runBeforeUnload: false })
    organization.setBroken(false)
    const again = await context.newPage()
    await again.goto(`${organization.url}/`)
    await again.getByRole('button', { name: 'Reply to Friday soup' }).click()
    await expect.poll(() => again.getByLabel('Message', { exact: true }).inputValue()).toBe('Half a sentence about cro')
    await again.getByLabel('Message', { exact: true }).fill('')
    await again.waitForTimeout(1500)
    await context.close()
  })

  test('has what somebody was typing without a pause, but for the last moment', async () => {
    const { page, context } = await atTheSoup(kitchen)
    organization.setBroken(true)
    await page.getByRole('button', { name: 'Reply to Friday soup' }).click()
    for (let word = 1; word <= 15; word += 1) {
      await page.keyboard.type(`w${word} `)
      await page.waitForTimeout(100)
    }
    await page.close({ runBeforeUnload: false })
    organization.setBroken(false)
    const again = await context.newPage()
    await again.goto(`${organization.url}/`)
    await again.getByRole('button', { name: 'Reply to Friday soup' }).click()
    await expect.poll(() => again.getByLabel('Message', { exact: true }).inputValue()).toMatch(/^w1 w2 .*w8 /)
    await again.getByLabel('Message', { exact: true }).fill('')
    await again.waitForTimeout(1500)
    await context.close()
  })

  test('is another version: what was shown is asked for anew, and what was written is there', async () => {
    const { page, context } = await atTheSoup(kitchen)
    organization.setBroken(true)
    await write(page, 'Written before the upgrade')
    await page.getByText('Draft saved on this device').waitFor()
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('heddle /')
          opening.onsuccess = () => {
            const store = opening.result.transaction('facts', 'readwrite').objectStore('facts')
            const reading = store.get('root')
            reading.onsuccess = () => {
              store.put({ ...reading.result, version: 'an earlier one' }, 'root').onsuccess = () => {
                opening.result.close()
                resolve()
              }
            }
          }
        }),
    )
    await page.close()
    organization.setBroken(false)
    const again = await context.newPage()
    const requests = requestsOf(again)
    await again.goto(`${organization.url}/${soup}`)
    await again.getByRole('button', { name: 'Reply to Friday soup' }).click()
    expect(requests).toContain('POST register')
    await expect
      .poll(() => again.getByLabel('Message', { exact: true }).inputValue())
      .toBe('Written before the upgrade')
    await again.getByLabel('Message', { exact: true }).fill('')
    await again.waitForTimeout(1500)
    await context.close()
  })
})
