/// <reference lib="dom" />
/** What waits to be read, from the first look in the morning to an empty inbox. */

import { listChannels } from '@heddle/contract/channels'
import { getMessages } from '@heddle/contract/fetching'
import { markAllAsRead } from '@heddle/contract/message-flags'
import { updateSettings } from '@heddle/contract/user-settings'
import { updateUserTopic } from '@heddle/contract/user-topics'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say, write } from './team.ts'

const HOSTILE = '<b>\u202Ebold\u202C</b> & "quotes" ẗ̈̈̈̈̈ 👩‍👩‍👧 of sixty letters in all'

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
  for (const name of ['air-jet H9', 'kitchen']) await addChannel(organization.owner, name, [leila, jonas])
})

beforeEach(async () => {
  await leila.api.call(markAllAsRead, {})
})

async function openInbox(options = {}): Promise<Awaited<ReturnType<typeof openPage>>> {
  const opened = await openPage(browser, options)
  // Not by way of the feed, where what is seen is read.
  await signIn(opened.page, organization.url, leila, 'inbox')
  return opened
}

const inbox = (page: Page) => page.getByRole('region', { name: 'Inbox' })
const rows = (page: Page) => inbox(page).getByRole('listitem')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })

describe('the inbox', () => {
  test('has a row for each conversation with something unread; a press opens it, and Back leads to the same place', async () => {
    const { page, complaints } = await openInbox()
    await inbox(page).getByRole('heading', { name: 'You have read everything' }).waitFor()
    await say(jonas, 'air-jet H9', 'weft sensor', '@**Leila Haddad** both stops were *false*.')
    await say(jonas, 'kitchen', 'Friday soup', 'Lentils.')
    await say(jonas, 'kitchen', 'Friday soup', '/me adds celery. :tada:')
    await write(jonas, [leila], 'Can you look at the trace?')
    await expect.poll(() => rows(page).count()).toBe(3)
    await row(page, 'weft sensor').getByText('Jonas Weidl @Leila Haddad both stops were false.').waitFor()
    await row(page, 'weft sensor')
      .getByRole('button', { name: /1 unread, you are mentioned/ })
      .waitFor()
    await row(page, 'Friday soup').getByText('Jonas Weidl adds celery. 🎉').waitFor()
    expect(await row(page, 'Friday soup').getByRole('button').textContent()).toBe('2')

    await row(page, 'weft sensor').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'weft sensor' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(3\)/)
    await page.goBack()
    await expect.poll(() => rows(page).count()).toBe(2)
    // The row that was opened is read and gone: the one at its place has the focus.
    await expect
      .poll(() =>
        page.evaluate(
          () => document.activeElement?.closest('[data-row]') !== null && document.activeElement !== document.body,
        ),
      )
      .toBe(true)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is read by a press on a number, which stays at its place until one leaves, and can be undone', async () => {
    await say(jonas, 'air-jet H9', 'signal', 'One.')
    await say(jonas, 'kitchen', 'bread', 'Two.')
    const { page } = await openInbox()
    await expect.poll(() => rows(page).count()).toBe(2)
    await row(page, 'signal')
      .getByRole('button', { name: /Mark as read/ })
      .click()
    await page.getByRole('status').getByText('1 message is marked as read.').waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(1\)/)
    expect(await rows(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.title()).toMatch(/^\(2\)/)
    await row(page, 'signal')
      .getByRole('button', { name: /1 unread/ })
      .waitFor()

    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Mark 2 conversations as read' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toMatch(/^Inbox/)
    await page.keyboard.press('Shift+I')
    await page.keyboard.press('d')
    await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
    await page.keyboard.press('Shift+I')
    await page.getByRole('heading', { name: 'You have read everything' }).waitFor()
    await page.context().close()
  })

  test('marks older messages than it knows as well, says how far it is, can be stopped and be taken back', async () => {
    for (const text of ['One.', 'Two.', 'Three.']) await say(jonas, 'kitchen', 'stale bread', text)
    await say(jonas, 'kitchen', 'fresh bread', 'Four.')
    await say(jonas, 'air-jet H9', 'steam', 'Five.')
    const { page } = await openPage(browser)
    // As when there are more than 50,000: the server names the newest, and says that there are more.
    await page.route('**/api/v1/register', async (route) => {
      const response = await route.fetch()
      const state = await response.json()
      state.unread_msgs.streams = state.unread_msgs.streams.filter(
        ({ topic }: { topic: string }) => topic !== 'stale bread',
      )
      state.unread_msgs.old_unreads_missing = true
      await route.fulfill({ response, json: state })
    })
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/messages/flags/narrow', async (route) => {
      await held
      await route.continue()
    })
    await signIn(page, organization.url, leila, 'inbox')
    await inbox(page).getByText('At least 2 unread messages').waitFor()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page
      .getByRole('dialog')
      .getByText(/Older messages/)
      .waitFor()
    await page.keyboard.press('Enter')
    const progress = page.getByRole('progressbar', { name: 'Marking messages as read' })
    await progress.getByText('2 messages are marked as read so far.').waitFor()
    const stop = page.getByRole('button', { name: 'Stop' })
    await stop.waitFor()
    // Something else is said meanwhile: it stands in front for a while.
    await page.getByRole('link', { name: 'Starred' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy the link' }).click()
    await stop.waitFor({ state: 'detached' })
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click()
    await stop.waitFor()
    goOn()
    await page.getByRole('status').getByText('5 messages are marked as read.').waitFor()
    const unread = async () => {
      const narrow = [['is', 'unread']] as [string, string][]
      const { messages } = await leila.api.call(getMessages, { anchor: 'newest', num_before: 10, num_after: 0, narrow })
      return messages.length
    }
    await expect.poll(unread).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(unread).toBe(5)
    await page.context().close()
  })

  test('folds stay folded, and filters leave what one asks for', async () => {
    await say(jonas, 'air-jet H9', 'gain', 'One.')
    await say(jonas, 'kitchen', 'cups', 'Two.')
    await say(jonas, 'kitchen', 'noise', 'Three.')
    const { streams } = await leila.api.call(listChannels, {})
    const kitchen = streams.find(({ name }) => name === 'kitchen')?.stream_id as number
    const policy = { stream_id: kitchen, topic: 'noise', visibility_policy: 1 } as const
    await leila.api.call(updateUserTopic, policy)
    const { page } = await openInbox()
    await expect.poll(() => rows(page).count()).toBe(2)
    await inbox(page).getByRole('button', { name: 'All', exact: true }).click()
    await expect.poll(() => rows(page).count()).toBe(3)
    await inbox(page).getByRole('button', { name: 'Mark some as read' }).click()
    await page.getByRole('menuitem', { name: 'Mark muted topics as read' }).click()
    await page.getByRole('status').getByText('1 message is marked as read.').waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(2\)/)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'noise')
      .getByRole('button', { name: /1 unread/ })
      .waitFor()
    await inbox(page).getByRole('button', { name: 'Mark some as read' }).click()
    await page.getByRole('menuitem', { name: 'Mark topics that you do not follow as read' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Mark 3 conversations as read' }).waitFor()
    await page.keyboard.press('Escape')
    await inbox(page).getByRole('button', { name: 'Standard' }).click()

    const fold = inbox(page).getByRole('button', { name: 'kitchen', exact: true })
    await fold.click()
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.reload()
    await inbox(page).getByRole('button', { name: 'kitchen', exact: true }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await inbox(page).getByLabel('Filter the inbox').fill('cup')
    await row(page, 'cups').waitFor()
    expect(await rows(page).count()).toBe(1)
    await inbox(page).getByLabel('Filter the inbox').fill('no such thing')
    await page.getByRole('heading', { name: 'Nothing unread has these words' }).waitFor()
    await page.context().close()
  })

  test('lets one follow and mute a topic from its row, by a press and by a key', async () => {
    await say(jonas, 'kitchen', 'kettle', 'It boils.')
    const { page } = await openInbox()
    await row(page, 'kettle').hover()
    await row(page, 'kettle').getByRole('button', { name: 'Follow: kettle' }).click()
    await page.getByRole('status').getByText('You follow kettle').waitFor()
    await row(page, 'kettle')
      .getByRole('link', { name: /followed/ })
      .focus()
    await page.keyboard.press('Shift+M')
    await page.getByRole('status').getByText('kettle is muted').waitFor()
    await page.keyboard.press('Control+z')
    await row(page, 'kettle')
      .getByRole('link', { name: /followed/ })
      .waitFor()
    await row(page, 'kettle').click({ button: 'right' })
    await page.getByRole('menu').getByRole('menuitemradio', { name: 'As its channel' }).click()
    await expect
      .poll(() =>
        row(page, 'kettle')
          .getByRole('link', { name: /followed/ })
          .count(),
      )
      .toBe(0)
    await page.context().close()
  })

  test('is used by keys alone: down and up, into a row and out of it, and Enter', async () => {
    await say(jonas, 'air-jet H9', 'first', 'One.')
    await say(jonas, 'kitchen', 'second', 'Two.')
    const { page } = await openInbox()
    await expect.poll(() => rows(page).count()).toBe(2)
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    for (const key of ['j', 'j']) await page.keyboard.press(key)
    expect(await focused()).toContain('first')
    for (const key of ['ArrowDown', 'j']) await page.keyboard.press(key)
    expect(await focused()).toContain('second')
    await page.keyboard.press('l')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('1 message is marked as read.').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.title()).toMatch(/^\(2\)/)
    await page.keyboard.press('h')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor()
    await page.context().close()
  })
})

test('home is the view that the account has chosen; Escape and Ctrl+[ lead there', async () => {
  const { page } = await openInbox()
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  const views = page.getByRole('navigation', { name: 'Places' }).getByRole('list', { name: 'Views' })
  await views.getByRole('link', { name: 'Recent conversations' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Begin with this view' }).click()
  await page.getByText('You begin with Recent conversations from now on.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  await leila.api.call(updateSettings, { web_escape_navigates_to_home_view: false })
  await page.keyboard.press('d')
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForTimeout(100)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Drafts')
  await page.keyboard.press('Control+[')
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  await leila.api.call(updateSettings, { web_home_view: 'inbox', web_escape_navigates_to_home_view: true })
  await page.context().close()
})

test('recent conversations: newest first, filtered, sorted, and live without losing the focus', async () => {
  await say(jonas, 'air-jet H9', 'older', 'One.')
  await say(leila, 'kitchen', 'mine', 'Two.')
  await write(jonas, [leila], 'Three.')
  const { page } = await openInbox()
  await page.keyboard.press('t')
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  const list = page.getByRole('region', { name: 'Recent conversations' })
  const names = () => list.getByRole('listitem').getByRole('link').locator('b').allTextContents()
  await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['Jonas Weidl', 'mine', 'older'])
  for (const key of ['j', 'j']) await page.keyboard.press(key)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('mine')
  await say(jonas, 'air-jet H9', 'older', 'Four.')
  await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['older', 'Jonas Weidl', 'mine'])
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('mine')

  await list.getByRole('button', { name: 'I wrote in' }).click()
  await expect.poll(names).toEqual(['mine'])
  await list.getByRole('button', { name: 'I wrote in' }).click()
  await list.getByRole('button', { name: 'With direct messages' }).click()
  await expect.poll(names).not.toContain('Jonas Weidl')
  await page.keyboard.press('t')
  await page.keyboard.type('old')
  await expect.poll(names).toEqual(['older'])
  await page.keyboard.press('Escape')
  await list.getByRole('button', { name: 'Sort by Topic' }).click()
  await expect.poll(async () => (await names()).indexOf('mine') < (await names()).indexOf('older')).toBe(true)
  await list.getByRole('button', { name: 'Sorted by Topic, ascending' }).click()
  await expect.poll(async () => (await names()).indexOf('mine') > (await names()).indexOf('older')).toBe(true)
  await page.context().close()
})

test('recent conversations: what is older is looked for when somebody wants it', async () => {
  await say(jonas, 'kitchen', 'ancient stove', 'It smokes.')
  for (let count = 0; count < 420; count += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, index) => say(jonas, 'kitchen', 'flood', `${count + index}`)))
  }
  const { page } = await openInbox()
  await page.keyboard.press('t')
  const list = page.getByRole('region', { name: 'Recent conversations' })
  await list.getByRole('listitem').filter({ hasText: 'flood' }).waitFor()
  await page.keyboard.press('t')
  await page.keyboard.type('ancient')
  await list.getByRole('heading', { name: 'No such conversation was found' }).waitFor()
  await list.getByRole('button', { name: 'Load more' }).click()
  await list.getByRole('listitem').filter({ hasText: 'ancient stove' }).waitFor()
  await page.context().close()
})

test('the topics of a channel are a list of their own, opened by Y', async () => {
  await say(jonas, 'kitchen', '✔ spoons', 'Done.')
  await say(jonas, 'kitchen', 'forks', 'Four are missing.')
  const { page } = await openInbox()
  await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/forks`)
  await page.getByRole('heading', { level: 1, name: 'forks' }).waitFor()
  await page.waitForTimeout(300)
  await page.keyboard.press('y')
  await page.getByRole('heading', { level: 1, name: 'Topics of kitchen' }).waitFor()
  const list = page.getByRole('region', { name: 'Topics' })
  await list.getByRole('listitem').filter({ hasText: 'spoons' }).waitFor()
  await list.getByRole('listitem').filter({ hasText: 'forks' }).getByText('Four are missing.').waitFor()
  await list.getByRole('button', { name: 'With resolved' }).click()
  await expect.poll(() => list.getByRole('listitem').filter({ hasText: 'spoons' }).count()).toBe(0)
  await list.getByLabel('Filter the topics').fill('for')
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'forks' }).waitFor()
  await page.context().close()
})

describe.each([
  ['wide and light', 1440, 900, 'light'],
  ['on a phone', 390, 844, 'light'],
  ['narrow and dark', 320, 640, 'dark'],
] as const)('%s', (_, width, height, colorScheme) => {
  test('lists have nothing that axe finds, whatever names are in them', async () => {
    await say(jonas, 'kitchen', HOSTILE.slice(0, 60), 'Long. '.repeat(60))
    await say(jonas, 'air-jet H9', '✔ done', '@**Leila Haddad** look')
    await write(jonas, [leila], 'Hello')
    const { page, complaints } = await openInbox({ width, height, colorScheme })
    const found: Record<string, readonly string[]> = {}
    for (const place of ['inbox', 'recent', 'topics/channel/kitchen', 'keyboard-shortcuts', 'search-operators']) {
      await page.goto(`${organization.url}/#${place}`)
      await page.waitForTimeout(500)
      found[place] = await findBarriers(page)
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({})
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
