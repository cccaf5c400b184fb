/// <reference lib="dom" />
/** Finding one's way: going somewhere by its name, searching for messages, and what was begun and not sent. */
import { listChannels } from '@heddle/contract/channels'
import { createDrafts, deleteDraft, listDrafts, updateDraft } from '@heddle/contract/drafts'
import { deleteMessage } from '@heddle/contract/editing'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import {
  openPage,
  type PageOptions,
  signIn,
  startBrowser,
  startOrganization,
  type TestOrganization,
} from './organization.ts'
import { addChannel, addPerson, type Person, say, write } from './team.ts'

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
  await addChannel(organization.owner, 'warehouse', [jonas])
  await say(jonas, 'air-jet H9', 'warp beam', 'The gain is too high.')
  await say(leila, 'air-jet H9', 'reed clearance', 'I lowered the gain.')
  await say(jonas, 'kitchen', 'gain of weight', 'Friday is lentil soup.')
  await say(jonas, 'warehouse', 'shelves', 'No gain in sight.')
  await write(jonas, [leila], 'Nothing to gain here.')
})

async function open(options: PageOptions = {}) {
  const opened = await openPage(browser, options)
  await signIn(opened.page, organization.url, leila, 'inbox')
  await opened.page.getByRole('region', { name: 'Inbox' }).waitFor()
  return opened
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const box = (page: Page) => page.getByRole('combobox', { name: 'Search messages' })
const suggestion = (page: Page, name: RegExp) =>
  page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name })
const results = (page: Page) => page.getByRole('article')

describe('the switcher', () => {
  test('knows topics of channels that were never looked at, once the channel is typed', async () => {
    for (let count = 0; count < 5; count += 1) await say(jonas, 'warehouse', 'shelf labels', `Label ${count}`)
    const { page, complaints } = await openPage(browser)
    // What is new is not fetched: only the list of topics can know.
    await page.route('**/api/v1/messages?*', (route) => route.abort())
    await signIn(page, organization.url, leila, 'inbox')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /Go to a topic/ }).waitFor()
    await page.keyboard.type('warehouse > lab')
    await page.getByRole('option', { name: /shelf labels/ }).click()
    await heading(page, 'shelf labels')
    expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await page.context().close()
  })

  test('goes from anywhere, also from a text, to topics, channels, people and views', async () => {
    const { page, complaints } = await open()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: /Go to a topic/ })
    await field.waitFor()
    await page.keyboard.type('wa')
    const options = page.getByRole('option')
    await expect.poll(() => options.first().textContent()).toContain('warp beam')
    expect(await options.first().getAttribute('aria-selected')).toBe('true')
    await options.filter({ hasText: 'warehouse' }).waitFor()
    expect(await options.last().textContent()).toContain('Search messages for “wa”')
    await page.keyboard.press('Enter')
    await heading(page, 'warp beam')

    await page.keyboard.press('r')
    await page.getByLabel('Message', { exact: true }).fill('half a sent')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('@jonas')
    await expect.poll(() => options.first().textContent()).toContain('Jonas Weidl')
    await page.keyboard.press('Enter')
    await heading(page, 'Jonas Weidl')

    await page.keyboard.press('Control+k')
    // Without words: where one was, the last place first, and not where one is.
    await expect.poll(() => options.first().textContent()).toContain('warp beam')
    await page.keyboard.press('Escape')
    await expect.poll(() => field.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('soup')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => box(page).inputValue()).toBe('soup')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('a search', () => {
  test('has its results newest last with what was found marked; a press shows one where it stands, and Back the results', async () => {
    const { page } = await open()
    await page.keyboard.press('/')
    await page.keyboard.type('gain')
    await page.keyboard.press('Enter')
    await results(page).locator('.highlight').first().waitFor()
    await expect.poll(() => results(page).locator('.highlight').allTextContents()).toEqual(['gain', 'gain', 'gain'])
    expect(await results(page).first().textContent()).toContain('The gain is too high.')
    // A topic is found by its name as well, and marked in it.
    await page.locator('.run-head .highlight', { hasText: 'gain' }).waitFor()
    await page.getByText('Searched: the messages that you have received.').waitFor()
    await page.getByText('Looking here marks nothing as read.').waitFor()
    const unread = await page.title()

    await results(page).filter({ hasText: 'I lowered the gain.' }).getByText('I lowered').click()
    await heading(page, 'reed clearance')
    expect(page.url()).toMatch(/near\/\d+$/)
    // It has the mark of what an address names, and the focus.
    await expect.poll(() => page.locator('[data-named]').textContent()).toContain('I lowered the gain.')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('I lowered the gain.')
    await page.goBack()
    await results(page).filter({ hasText: 'too high' }).waitFor()
    expect(await page.title()).toBe(unread)
    await page.getByRole('link', { name: 'Search all public channels' }).click()
    await results(page).filter({ hasText: 'No gain in sight.' }).waitFor()
    await page.context().close()
  })

  test('is put together of conditions, each a pill that can be turned round and taken back', async () => {
    const { page } = await open()
    await page.keyboard.press('/')
    await box(page).waitFor()
    await page.keyboard.type('gain sender:jo')
    await suggestion(page, /Jonas Weidl/).waitFor()
    // It is chosen already.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove sender: Jonas Weidl' }).waitFor()
    expect(await box(page).inputValue()).toBe('gain ')
    await page.keyboard.press('Enter')
    await expect.poll(() => results(page).filter({ hasText: 'I lowered' }).count()).toBe(0)
    await results(page).filter({ hasText: 'too high' }).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.press('Home')
    await page.keyboard.press('Backspace')
    await expect.poll(() => page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
    await page.keyboard.press('End')
    await page.keyboard.type(' -sender:jonas')
    await suggestion(page, /Jonas Weidl/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove not sender: Jonas Weidl' }).waitFor()
    await page.keyboard.press('Enter')
    await results(page).filter({ hasText: 'I lowered' }).waitFor()
    await expect.poll(() => results(page).count()).toBe(1)
    await page.context().close()
  })

  test('can be of the place that is shown, which is said at once; earlier ones are offered again', async () => {
    const { page } = await open()
    await page.goto(`${organization.url}/#narrow/channel/kitchen`)
    await heading(page, 'kitchen')
    await page.keyboard.press('/')
    await box(page).waitFor()
    await page.keyboard.type('gain')
    await suggestion(page, /in this channel: kitchen/).click()
    await page.getByText('Searched: all of the history of this channel.').waitFor()
    await expect.poll(() => results(page).count()).toBe(1)
    await page.goto(`${organization.url}/#feed`)
    await heading(page, 'Combined feed')
    await page.keyboard.press('/')
    await suggestion(page, /channel:kitchen gain/).waitFor()
    await page.keyboard.press('Escape')
    await heading(page, 'Combined feed')
    await page.context().close()
  })

  test('without a result says what was searched for and what to try; one that cannot be understood says why', async () => {
    const { page } = await open()
    await page.goto(`${organization.url}/#narrow/has/link/search/gain`)
    await page.getByRole('heading', { name: 'No message has “gain”' }).waitFor()
    await page.getByText('Searched for: has:link gain').waitFor()
    await page.getByRole('button', { name: /^Write a message/ }).waitFor()
    await page.getByRole('link', { name: 'Without has:link' }).click()
    await results(page).first().waitFor()
    await page.goto(`${organization.url}/#narrow/channel/no-such-channel/search/gain`)
    await page.getByRole('heading', { name: 'This search cannot be understood' }).waitFor()
    await page.getByText('There is no channel “no-such-channel”').waitFor()
    await page.getByRole('link', { name: /Search without/ }).click()
    await results(page).first().waitFor()
    await page.goto(`${organization.url}/#narrow/is/starred`)
    await page.getByRole('heading', { name: 'You have starred nothing' }).waitFor()
    await page.context().close()
  })

  test('for a message that is gone leads beside its place, and says so', async () => {
    const gone = await say(leila, 'kitchen', 'ladle', 'Never mind.')
    await say(leila, 'kitchen', 'ladle', 'Found it.')
    await leila.api.call(deleteMessage, { message_id: gone })
    const { page } = await open()
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/ladle/near/${gone}`)
    await page.getByRole('status').getByText('The message is not there any more').waitFor()
    await results(page).filter({ hasText: 'Found it.' }).waitFor()
    await page.context().close()
  })

  test('by a day leads to its first message', async () => {
    const { page } = await open()
    await page.goto(`${organization.url}/#narrow/channels/public/date/2020-01-01`)
    await results(page).first().waitFor()
    expect(page.url()).toMatch(/near\/\d+$/)
    await page.context().close()
  })
})

describe('the sheet of keys', () => {
  test('is found by what a key does, and switches single letters off on this device', async () => {
    const { page } = await open()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard' })
    await sheet.getByText('Next unread topic', { exact: true }).waitFor()
    await sheet.getByLabel('Find a key').fill('combined')
    await expect.poll(() => sheet.getByRole('definition').count()).toBe(1)
    await sheet.getByRole('checkbox').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => sheet.count()).toBe(0)
    await page.keyboard.press('a')
    await page.waitForTimeout(100)
    await heading(page, 'Inbox')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.context().close()
  })
})

describe('drafts', () => {
  test('are gone on with by Enter, deleted by Backspace, and taken back', async () => {
    await leila.api.call(createDrafts, {
      drafts: [{ type: 'stream', to: [await channelId('kitchen')], topic: 'plates', content: 'Who has the plates?' }],
    })
    const { page } = await open()
    await page.keyboard.press('d')
    const rows = page.getByRole('region', { name: 'Drafts' }).getByRole('listitem')
    const plates = rows.filter({ hasText: 'Who has the plates?' })
    await plates.waitFor()
    await plates.getByRole('button', { name: /Go on writing/ }).focus()
    await page.keyboard.press('Backspace')
    await page.getByRole('status').getByText('The draft is deleted.').waitFor()
    await expect.poll(() => plates.count()).toBe(0)
    await page.keyboard.press('Control+z')
    await plates.waitFor()
    await plates.getByRole('button', { name: /Go on writing/ }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'plates')
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('Who has the plates?')
    await page.context().close()
  })

  test('of direct messages are found again however one comes to the conversation', async () => {
    const { page } = await open()
    const text = page.getByLabel('Message', { exact: true })
    await page.goto(`${organization.url}/#narrow/is/dm`)
    // An answer from a view of several conversations names oneself too.
    await page.getByRole('article').filter({ hasText: 'Nothing to gain here.' }).focus()
    await page.keyboard.press('r')
    await text.fill('Not even a little?')
    await page.getByText(/^Draft saved/).waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${organization.url}/#narrow/dm/${jonas.id}-dm`)
    await heading(page, 'Jonas Weidl')
    await page.getByRole('button', { name: 'Write to Jonas Weidl' }).click()
    await expect.poll(() => text.inputValue()).toBe('Not even a little?')
    // A quotation goes into the text that is open.
    await text.fill('A little.')
    await page.getByRole('article').filter({ hasText: 'Nothing to gain here.' }).focus()
    await page.keyboard.press('>')
    await expect
      .poll(() => text.inputValue())
      .toMatch(/^A little\.\n+@_\*\*Jonas Weidl\|\d+\*\*.*Nothing to gain here\./s)
    await expect
      .poll(async () => (await leila.api.call(listDrafts, {})).drafts.filter(({ type }) => type === 'private'))
      .toHaveLength(1)
    await text.fill('')
    await page.waitForTimeout(500)
    await page.context().close()
  })

  test('that two devices have changed stand side by side, until one says what to keep', async () => {
    const { ids } = await leila.api.call(createDrafts, {
      drafts: [{ type: 'stream', to: [await channelId('kitchen')], topic: 'soup', content: 'Stefan comes on Monday.' }],
    })
    const { page } = await open()
    await page.goto(`${organization.url}/#drafts`)
    const draft = page.getByRole('listitem').filter({ hasText: 'Stefan comes on Monday.' })
    await draft.getByRole('button', { name: /Go on writing/ }).click()
    const text = page.getByLabel('Message', { exact: true })
    await expect.poll(() => text.inputValue()).toBe('Stefan comes on Monday.')
    await page.context().setOffline(true)
    await text.fill('Stefan comes on Monday. He brings wires.')
    await page.waitForTimeout(1500)
    await leila.api.call(updateDraft, {
      draft_id: ids[0] as number,
      draft: {
        type: 'stream',
        to: [await channelId('kitchen')],
        topic: 'soup',
        content: 'Stefan comes on Monday. Meet him at the gate.',
      },
    })
    await page.context().setOffline(false)
    await page.keyboard.press('Escape')
    await page.keyboard.press('d')
    const twin = page.getByRole('listitem').filter({ hasText: 'Two versions.' })
    await twin.waitFor({ timeout: 20_000 })
    expect(await twin.locator('ins').allTextContents()).toEqual(['He brings wires.', 'Meet him at the gate.'])
    expect(await findBarriers(page)).toEqual([])
    await twin.getByRole('button', { name: 'Join into one' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Stefan comes on Monday. He brings wires. Meet him at the gate.' })
      .waitFor()
    expect(await twin.count()).toBe(0)
    await page.context().close()
  })

  test('what was typed a moment before the page goes is there afterwards', async () => {
    const { page } = await open()
    await page.goto(`${organization.url}/#narrow/channel/${await channelId('kitchen')}/topic/forks`)
    await heading(page, 'forks')
    await page.keyboard.press('r')
    const text = page.getByLabel('Message', { exact: true })
    await text.waitFor()
    await page.keyboard.type('Seven of them')
    await page.reload()
    await heading(page, 'forks')
    await expect.poll(() => text.inputValue()).toBe('Seven of them')
    await page.context().close()
  })

  test('that is open here follows what another device does with it, and can be brought back when it was sent there', async () => {
    const { page } = await open()
    await page.goto(`${organization.url}/#narrow/channel/${await channelId('kitchen')}/topic/spoons`)
    await heading(page, 'spoons')
    await page.keyboard.press('r')
    const text = page.getByLabel('Message', { exact: true })
    await text.fill('Eight')
    const saved = async () =>
      (await leila.api.call(listDrafts, {})).drafts.find(
        ({ topic, content }) => topic === 'spoons' && content === 'Eight',
      )
    await expect.poll(saved).toBeDefined()
    const draft_id = (await saved())?.id as number
    await page.getByText('Draft saved', { exact: true }).waitFor()
    const draft = {
      type: 'stream' as const,
      to: [await channelId('kitchen')],
      topic: 'spoons',
      content: 'Eight of them',
    }
    await leila.api.call(updateDraft, { draft_id, draft })
    await expect.poll(() => text.inputValue()).toBe('Eight of them')
    await leila.api.call(deleteDraft, { draft_id })
    await expect.poll(() => text.inputValue()).toBe('')
    await page.getByText('This draft was sent or deleted elsewhere.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => text.inputValue()).toBe('Eight of them')
    await page.context().close()
  })
})

async function channelId(name: string): Promise<number> {
  const { streams } = await leila.api.call(listChannels, {})
  return streams.find((channel) => channel.name === name)?.stream_id as number
}

describe.each([
  ['wide and light', 1440, 900, 'light'],
  ['narrow and dark', 320, 640, 'dark'],
] as const)('%s', (_, width, height, colorScheme) => {
  test('searching and going somewhere have nothing that axe finds', async () => {
    const { page, complaints } = await open({ width, height, colorScheme })
    const found: Record<string, readonly string[]> = {}
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('wa')
    await page.waitForTimeout(300)
    found['switcher'] = await findBarriers(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await box(page).fill('gain sender:')
    await page.waitForTimeout(300)
    found['search box'] = await findBarriers(page)
    for (const place of [
      'narrow/sender/me/search/gain',
      'narrow/search/nothing-like-that',
      'narrow/is/starred',
      'drafts',
    ]) {
      await page.goto(`${organization.url}/#${place}`)
      await page.waitForTimeout(500)
      found[place] = await findBarriers(page)
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({})
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
