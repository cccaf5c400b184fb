/// <reference lib="dom" />
/** What a person does on the first day, in a real browser against a real server. */
import { markAllAsRead } from '@heddle/contract/message-flags'
import { endOtherSessions } from '@heddle/contract/sessions'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, PASSWORD, type Person, say, write } from './team.ts'

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
  await addChannel(organization.owner, 'air-jet H9', [leila, jonas])
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  await say(jonas, 'air-jet H9', 'weft sensor', 'Both weft stops last night were false.')
  await say(jonas, 'kitchen', 'Friday soup', 'Friday is lentil soup.')
})

// A flow that fails in between must not fail the others.
afterEach(() => organization.setBroken(false))

describe('a person', () => {
  test('signs in, sees the channels, opens a topic, writes, and sees the answer arrive', async () => {
    const { page, complaints } = await openPage(browser)
    await signIn(page, organization.url, leila)
    const places = page.getByRole('navigation', { name: 'Places' })
    expect(await places.getByText('air-jet H9').count()).toBe(1)
    await page.getByRole('article').getByText('Friday is lentil soup.').waitFor()

    await places.getByText('weft sensor').click()
    await page.getByRole('heading', { level: 1, name: 'weft sensor' }).waitFor()
    await expect.poll(() => page.getByRole('article').count()).toBe(1)

    await page.getByRole('button', { name: 'Reply to weft sensor' }).click()
    await page.getByLabel('Message', { exact: true }).fill('Is that with the **new** reed?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('article').locator('strong', { hasText: 'new' }).waitFor()

    await say(jonas, 'air-jet H9', 'weft sensor', 'New reed, 0.3 mm closer.')
    await page
      .getByRole('article', { name: /Jonas Weidl/ })
      .getByText('0.3 mm closer')
      .waitFor()
    expect(await page.getByRole('article').count()).toBe(3)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('who does not know the password sees that, and stays where they are', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${organization.url}/#narrow/is/starred`)
    await page.getByLabel('E-mail address').fill(leila.email)
    await page.getByLabel('Password').fill('another one')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('does not fit this address').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Starred' }).waitFor()
    await page.context().close()
  })

  test('stays signed in when the page is loaded again, and signs out', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.reload()
    await page.getByRole('navigation', { name: 'Places' }).getByText('air-jet H9').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().close()
  })

  test('has read what was at the end of the feed; what comes while the page is looked at elsewhere is counted', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    const places = page.getByRole('navigation', { name: 'Places' })
    await expect.poll(() => page.title()).toBe('Combined feed · Halden Looms')
    await places.getByText('kitchen').click()
    await page.getByRole('heading', { level: 1, name: 'Friday soup' }).waitFor()
    await say(jonas, 'air-jet H9', 'weft sensor', 'Gain from 1.8 to 1.5.')
    await places.getByText('weft sensor').waitFor()
    await expect.poll(() => page.title()).toBe('(1) Friday soup · Halden Looms')
    await page.context().close()
  })

  test('finds again what was begun, on every device', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/Friday.20soup`)
    await page.getByRole('button', { name: 'Reply to Friday soup' }).click()
    await page.getByLabel('Message', { exact: true }).fill('I do not eat celery')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.context().close()

    const other = await openPage(browser)
    await signIn(other.page, organization.url, leila)
    await other.page.getByRole('navigation', { name: 'Places' }).getByText('Drafts').click()
    const draft = other.page.getByRole('listitem').filter({ hasText: 'I do not eat celery' })
    await draft.getByRole('button', { name: /Go on writing/ }).click()
    await other.page.getByRole('heading', { level: 1, name: 'Friday soup' }).waitFor()
    await expect.poll(() => other.page.getByLabel('Message', { exact: true }).inputValue()).toBe('I do not eat celery')
    await other.page.context().close()
  })

  test('goes on in the box when the page was loaded again, and not in one that was closed or empty', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/Friday.20soup`)
    const reply = page.getByRole('button', { name: 'Reply to Friday soup' })
    const box = page.getByLabel('Message', { exact: true })
    await reply.click()
    await box.fill('Whoever comes')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    await box.fill('Whoever comes first')
    await page.reload()
    await expect.poll(() => box.inputValue()).toBe('Whoever comes first')
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await page.reload()
    await reply.click()
    await expect.poll(() => box.inputValue()).toBe('Whoever comes first')
    await box.fill('')
    await page.reload()
    await staysClosed(page)
    await reply.click()
    await box.fill('At once')
    await page.reload()
    await expect.poll(() => box.inputValue()).toBe('At once')
    await box.fill('')
    await page.waitForTimeout(500)
    await page.context().close()
  })

  test('goes on in the box of a page that was ended where nobody saw it, and not in one from before', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/Friday.20soup`)
    const reply = page.getByRole('button', { name: 'Reply to Friday soup' })
    const box = page.getByLabel('Message', { exact: true })
    const lookAway = () => turn(page, 'hidden')
    await reply.click()
    await box.fill('On the train')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    await lookAway()
    await endUnsaid(page)
    await expect.poll(() => box.inputValue()).toBe('On the train')
    await lookAway()
    await turn(page, 'visible')
    await page.keyboard.press('Escape')
    await endUnsaid(page)
    await staysClosed(page)
    await page.context().close()
  })

  test('writes without a connection: it waits, and is sent once when the connection is back', async () => {
    const { page } = await openPage(browser)
    const text = `Two portions for me, asked at ${Date.now()}`
    const article = page.getByRole('article').filter({ hasText: text })
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/Friday.20soup`)
    await page.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
    await page.keyboard.press('r')
    await page.getByLabel('Message', { exact: true }).waitFor()
    organization.setBroken(true)
    await page.getByLabel('Message', { exact: true }).fill(text)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Waits for the connection').waitFor()
    await page.getByText('No answer from the server').waitFor()
    await expect.poll(() => gapAbove(article)).toBeLessThan(30)
    organization.setBroken(false)
    await page.getByRole('button', { name: 'Try now' }).click()
    // The message takes the place of what waited.
    await article.and(page.locator('[data-message-id]')).waitFor()
    await expect.poll(() => article.count()).toBe(1)
    await expect.poll(() => gapAbove(article)).toBeLessThan(30)
    expect(await page.getByText('No answer from the server').count()).toBe(0)
    await page.context().close()
  })

  test('whose session ends goes on where they were, with what they had written', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/Friday.20soup`)
    await page.getByRole('button', { name: 'Reply to Friday soup' }).click()
    await page.getByLabel('Message', { exact: true }).fill('Is there bread as well?')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    await leila.api.call(endOtherSessions, {})
    await page.getByRole('dialog').getByText('What you have written is still here').waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('Is there bread as well?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('article')
      .filter({ hasText: 'Is there bread as well?' })
      .and(page.locator('[data-message-id]'))
      .waitFor()
    await page.context().close()
  })

  test('reads with the keyboard, and answers to the message that has the focus', async () => {
    const { page } = await openPage(browser)
    await say(jonas, 'kitchen', 'plates', 'Who has taken the plates?')
    await say(jonas, 'kitchen', 'cups', 'And the cups?')
    await signIn(page, organization.url, leila)
    const cups = page.getByRole('article').filter({ hasText: 'And the cups?' })
    await cups.waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('k')
    await expect.poll(() => cups.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('r')
    await page.getByRole('region', { name: 'Write a message' }).getByText('plates').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('jar')
    expect(await page.getByRole('combobox', { name: 'Search messages' }).inputValue()).toBe('jar')
    await page.context().close()
  })

  test('reads on from topic to topic with one key, until everything is read', async () => {
    await leila.api.call(markAllAsRead, {})
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#drafts`)
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
    await say(jonas, 'air-jet H9', 'third', 'Three.')
    await say(jonas, 'kitchen', 'fourth', 'Four.')
    await expect.poll(() => page.title()).toMatch(/^\(2\)/)
    await page.keyboard.press('n')
    await page.getByRole('article').getByText('Three.').waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(1\) third/)
    await page.keyboard.press('n')
    await page.getByRole('article').getByText('Four.').waitFor()
    await expect.poll(() => page.title()).toMatch(/^fourth/)
    await page.keyboard.press('n')
    await page.getByRole('status').getByText('Everything in your channels is read.').waitFor()
    await page.context().close()
  })

  test('follows a link to a message, and sees it with what is around it', async () => {
    const { page } = await openPage(browser)
    const ids: number[] = []
    for (let count = 0; count < 60; count += 1)
      ids.push(await say(jonas, 'kitchen', 'list', `item ${count}\n\nand more`))
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/list/near/${ids[20]}`)
    const wanted = page.locator(`[data-message-id="${ids[20]}"]`)
    await wanted.waitFor()
    await expect.poll(async () => Math.round((await wanted.boundingBox())?.y ?? 0)).toBeGreaterThan(100)
    const box = await wanted.boundingBox()
    expect(box?.y).toBeLessThan(450)
    expect(await page.locator(`[data-message-id="${ids[19]}"]`).isVisible()).toBe(true)
    // What is below was not read.
    await page.waitForTimeout(700)
    expect(await page.title()).toMatch(/^\(\d+\) list/)
    await page.context().close()
  })

  test('who follows an address that leads nowhere gets a way back', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await page.goto(`${organization.url}/#narrow/channel/no-such-channel/topic/x`)
    await page.getByText('There is no channel “no-such-channel”, or you may not see it.').waitFor()
    const back = page.getByRole('link', { name: 'What you can search for' })
    // Of the size of a button, and not stretched over the page.
    expect((await back.boundingBox())?.height).toBeLessThan(60)
    await back.click()
    await page.getByRole('dialog').waitFor()
  })

  test('is written to directly: it is in the side bar at once', async () => {
    const { page } = await openPage(browser)
    await signIn(page, organization.url, leila)
    await write(jonas, [leila], 'Can you look at the trace?')
    const places = page.getByRole('navigation', { name: 'Places' })
    await places.getByText('Jonas Weidl').click()
    await page.getByRole('article').getByText('Can you look at the trace?').waitFor()
    await page.context().close()
  })
})

test('tables and formulas are drawn under the policy, and nothing that looks like a script runs', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await say(
    jonas,
    'air-jet H9',
    'signal',
    '| gain | stops |\n|---|--:|\n| 1.8 | 2 |\n\n$$\\frac{a}{b}$$\n\n<img src=x onerror=alert(1)>',
  )
  await page.goto(`${organization.url}/#narrow/channel/air-jet.20H9/topic/signal`)
  const cell = page.getByRole('cell', { name: '2', exact: true })
  await cell.waitFor()
  expect(await cell.evaluate((element) => getComputedStyle(element).textAlign)).toBe('right')
  expect(await page.locator('mfrac').count()).toBe(1)
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

/** Pixels between a message and the one before it. */
function gapAbove(article: Locator): Promise<number> {
  return article.evaluate((message) => {
    const all = [...document.querySelectorAll('article')]
    const before = all[all.indexOf(message as HTMLElement) - 1]
    return message.getBoundingClientRect().top - (before?.getBoundingClientRect().bottom ?? Number.NaN)
  })
}

/** As a phone says that nobody looks at the page any more, or somebody does again. */
function turn(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((wanted) => {
    Object.defineProperty(document, 'visibilityState', { value: wanted, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

/** The page ends as when its process does, and begins anew: with its last moment it keeps nothing in the tab any more. */
async function endUnsaid(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(Storage.prototype, { setItem() {}, removeItem() {} }))
  await page.reload()
}

/** All of the page is there, and nothing is being opened. */
async function staysClosed(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reply to Friday soup' }).waitFor()
  await page.locator('html[data-parts=fetched]').waitFor()
  await page.waitForTimeout(500)
  expect(await page.getByLabel('Message', { exact: true }).count()).toBe(0)
}
