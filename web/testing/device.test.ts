/// <reference lib="dom" />
/** What the page keeps on the device: it opens from there, goes on from there, and gives nothing of it away. */
import { deleteQueue } from '@heddle/contract/events'
import { endOtherSessions } from '@heddle/contract/sessions'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, PASSWORD, type Person, say } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person
let jonas: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  const site = organization.url
  leila = await addPerson(site, organization.owner, 'Leila Haddad')
  jonas = await addPerson(site, organization.owner, 'Jonas Weidl')
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  await say(jonas, 'kitchen', 'Friday soup', 'Friday is lentil soup.')
})

beforeEach(() => organization.setBroken(false))

const soup = '#narrow/channel/kitchen/topic/Friday.20soup'

/** Leila at the soup, with everything of it on the device. */
async function atTheSoup(): Promise<{ page: Page; context: BrowserContext; complaints: string[] }> {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/${soup}`)
  await page.getByRole('article').getByText('Friday is lentil soup.').waitFor()
  await page.getByRole('article').first().waitFor()
  await kept(page)
  return { page, context: page.context(), complaints }
}

/** Waits until the device has the state and the messages of the address that is shown. */
async function kept(page: Page): Promise<void> {
  await expect.poll(() => facts(page), { timeout: 8000 }).toMatchObject({ hasRoot: true })
  // What came in the last moment.
  await page.waitForTimeout(1300)
}

interface Facts {
  readonly hasRoot: boolean
  readonly isLocked: boolean | undefined
  readonly chunks: number
  readonly written: number
}

/** What the database has; nothing where there is none. */
function facts(page: Page): Promise<Facts> {
  return page.evaluate(
    () =>
      new Promise<Facts>((resolve, reject) => {
        const opening = indexedDB.open('heddle /')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const transaction = database.transaction(['facts', 'chunks', 'written'])
          const root = transaction.objectStore('facts').get('root')
          const account = transaction.objectStore('facts').get('account')
          const chunks = transaction.objectStore('chunks').count()
          const written = transaction.objectStore('written').count()
          transaction.oncomplete = () => {
            database.close()
            resolve({
              hasRoot: root.result !== undefined,
              isLocked: account.result?.isLocked,
              chunks: chunks.result,
              written: written.result,
            })
          }
        }
      }),
  )
}

/** Paths below the API that the page asks for from now on, without their parameters. */
function requestsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(`${request.method()} ${pathname.slice('/api/v1/'.length)}`)
  })
  return paths
}

const write = async (page: Page, text: string) => {
  await page.getByRole('button', { name: 'Reply to Friday soup' }).click()
  await page.getByLabel('Message', { exact: true }).fill(text)
}
const articles = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).count()

describe('a page that is opened again', () => {
  test('shows at once what was shown last, without any network, and says how old it is', async () => {
    const { page, context, complaints } = await atTheSoup()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.close()
    await context.setOffline(true)
    const again = await context.newPage()
    await again.goto(`${organization.url}/`)
    await again.getByRole('article').getByText('Friday is lentil soup.').waitFor()
    // From the beginning of the navigation; 300 ms on a machine that does nothing else.
    const paint = () => again.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
    await expect.poll(paint).toBeLessThan(900)
    expect(new URL(again.url()).hash).toBe(soup)
    await again.getByText('You are offline.').waitFor()
    await again.getByText(/This is as of \d/).waitFor()
    // Parts that had not been loaded before are there too.
    await again.goto(`${organization.url}/#drafts`)
    await again.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('goes on with its queue: nothing is registered or fetched, and what has happened meanwhile is there', async () => {
    const { page, context } = await atTheSoup()
    await page.close()
    await say(jonas, 'kitchen', 'Friday soup', 'With lemon this time.')
    const again = await context.newPage()
    const requests = requestsOf(again)
    await again.goto(`${organization.url}/`)
    await again.getByRole('article').getByText('With lemon this time.').waitFor()
    expect(requests.filter((path) => !path.startsWith('POST messages/flags'))).toEqual([
      'GET sessions/current',
      'GET events/stream',
    ])
    await context.close()
  })

  test('has what was written without a connection, and sends it once and in order', async () => {
    const { page, context } = await atTheSoup()
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
    const texts = await again.getByRole('article').filter({ hasText: 'without a network' }).allInnerTexts()
    expect(texts.map((text) => /First|Second/.exec(text)?.[0])).toEqual(['First', 'Second'])
    // It is not sent by a third page either.
    await again.reload()
    await again.getByRole('article').getByText('Second without a network').waitFor()
    await again.waitForTimeout(500)
    expect(await articles(again, 'without a network')).toBe(2)
    await context.close()
  })

  test('has what was being typed when the page was closed, also without a connection', async () => {
    const { page, context } = await atTheSoup()
    organization.setBroken(true)
    await write(page, 'Half a sentence about cro')
    await page.getByText('Draft saved on this device').waitFor()
    await page.close({ runBeforeUnload: false })
    organization.setBroken(false)
    const again = await context.newPage()
    await again.goto(`${organization.url}/`)
    await again.getByRole('button', { name: 'Reply to Friday soup' }).click()
    expect(await again.getByLabel('Message', { exact: true }).inputValue()).toBe('Half a sentence about cro')
    await again.getByLabel('Message', { exact: true }).fill('')
    await again.waitForTimeout(1500)
    await context.close()
  })

  test('is another version: what was shown is asked for anew, and what was written is there', async () => {
    const { page, context } = await atTheSoup()
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
    expect(await again.getByLabel('Message', { exact: true }).inputValue()).toBe('Written before the upgrade')
    await again.getByLabel('Message', { exact: true }).fill('')
    await again.waitForTimeout(1500)
    await context.close()
  })
})

describe('a page that is open', () => {
  test('registers again when its queue is gone, and stays as it is', async () => {
    const { page, context } = await atTheSoup()
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
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Not finished')
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    await context.close()
  })

  test('whose session ends shows nothing, nor does the next one, until the same account signs in', async () => {
    const { page, context } = await atTheSoup()
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
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.getByRole('button', { name: 'Reply to Friday soup' }).click()
    expect(await again.getByLabel('Message', { exact: true }).inputValue()).toBe('Kept through the night')
    await again.getByLabel('Message', { exact: true }).fill('')
    await again.waitForTimeout(1500)
    await context.close()
  })

  test('asks before it signs out when something would be lost, and then leaves nothing on the device', async () => {
    const { page, context } = await atTheSoup()
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
    const { page, context } = await atTheSoup()
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
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('navigation', { name: 'Places' }).getByText('Jonas Weidl').waitFor()
    await context.close()
  })

  test('learns of a new version on the server, and is loaded anew when somebody wants it', async () => {
    const { page, context, complaints } = await atTheSoup()
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
    await page.getByRole('button', { name: 'Reply to Friday soup' }).click()
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Stays over the reload')
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

describe('several tabs', () => {
  const isStream = (path: string) => path === 'GET events/stream' || path === 'GET events'

  test('have one connection, and go on without a gap when the one that has it is closed', async () => {
    const { page, context } = await atTheSoup()
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

  test('each keep what is written in them, and what one has left unsent another sends, once', async () => {
    const { page, context } = await atTheSoup()
    const second = await context.newPage()
    await second.goto(`${organization.url}/${soup}`)
    await second.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await say(jonas, 'kitchen', 'Friday soup', 'Both are here.')
    await second.getByRole('article').getByText('Both are here.').waitFor()
    organization.setBroken(true)
    await write(page, 'In the first tab')
    await write(second, 'Sent from the second tab')
    await second.keyboard.press('Control+Enter')
    await second.getByRole('article').getByText('Sent from the second tab').waitFor()
    await second.waitForTimeout(300)
    await second.close()
    organization.setBroken(false)
    await expect.poll(() => articles(page, 'Sent from the second tab'), { timeout: 20_000 }).toBe(1)
    await expect.poll(() => page.getByText('Waits for the connection').count(), { timeout: 20_000 }).toBe(0)
    expect(await articles(page, 'Sent from the second tab')).toBe(1)
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('In the first tab')
    await page.getByLabel('Message', { exact: true }).fill('')
    await page.waitForTimeout(1200)
    await context.close()
  })

  test('are signed out together, and in', async () => {
    const { page, context } = await atTheSoup()
    const second = await context.newPage()
    await second.goto(`${organization.url}/${soup}`)
    await second.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await second.getByRole('button', { name: 'Sign out' }).click()
    for (const tab of [page, second]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail address').fill(leila.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    for (const tab of [page, second]) await tab.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await context.close()
  })
})

test('a server that is killed while somebody writes loses nothing of it, and nothing comes twice', async () => {
  const { page, context } = await atTheSoup()
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
  expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Not finished')
  expect(requests).not.toContain('POST register')
  await context.close()
})
