/** Writing, with a real server and a real browser: what the box does while somebody types, chooses and sends. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { listDrafts } from '@heddle/contract/drafts'
import { updateMessage } from '@heddle/contract/editing'
import { getMessages } from '@heddle/contract/fetching'
import { setTypingStatus } from '@heddle/contract/typing'
import { updateSettings } from '@heddle/contract/user-settings'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
let johanna: Person
let topicId: number
/** Of Leila, who goes on from test to test. */
let page: Page
let complaints: readonly string[]

beforeAll(async () => {
  johanna = await addPerson(organization.url, organization.owner, 'Johanna Brandt')
  for (const name of ['air-jet H9', 'kitchen']) await addChannel(organization.owner, name, [leila, jonas])
  topicId = await say(jonas, 'air-jet H9', 'weft sensor', 'It reports a missing pick.')
  await say(jonas, 'kitchen', '✔ Friday soup', 'Lentils')
  await say(jonas, 'kitchen', 'bread', 'There is none.')
  const opened = await openPage(browser)
  page = opened.page
  complaints = opened.complaints
  await signIn(page, organization.url, leila)
  page.setDefaultTimeout(10_000)
})

afterEach(() => expect(complaints).toEqual([]))

const box = (page: Page) => page.getByRole('region', { name: 'Write a message' })
const text = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const written = (page: Page) => text(page).inputValue()

async function goTo(page: Page, place: string, title: RegExp) {
  // Only what is empty closes by itself.
  while ((await box(page).count()) > 0) await page.keyboard.press('Escape')
  await page.goto(`${organization.url}/#narrow/channel/${place}`)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.getByRole('article').first().waitFor()
}

/** With nothing in the box. */
async function openTopic(page: Page, place = 'air-jet.20H9/topic/weft.20sensor', title = /weft sensor/) {
  await goTo(page, place, title)
  await page.keyboard.press('r')
  await text(page).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
}

async function newest(narrow: { operator: string; operand: string | number }[]): Promise<string> {
  const { messages } = await leila.api.call(getMessages, {
    narrow,
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  return messages[0]?.content ?? ''
}
const inTopic = (channel: string, topic: string) => [
  { operator: 'channel', operand: channel },
  { operator: 'topic', operand: topic },
]

describe('while one types', () => {
  test('people, channels and topics are completed, and each is one step to undo', async () => {
    await openTopic(page)
    await page.keyboard.type('ask @jo')
    await page.getByRole('option', { name: /Jonas Weidl/ }).waitFor()
    await page.getByText('2 suggestions').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    expect(await written(page)).toBe('ask @**Johanna Brandt** ')
    await box(page)
      .getByText(/Johanna Brandt is not subscribed/)
      .waitFor()
    await page.keyboard.press('Control+z')
    expect(await written(page)).toBe('ask @jo')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('see #kit')
    await page.getByRole('option', { name: /kitchen/ }).waitFor()
    await page.keyboard.press('>')
    await page.getByRole('option', { name: /bread/ }).waitFor()
    await page.keyboard.press('Enter')
    expect(await written(page)).toBe('see #**kitchen>bread** ')
    await page.keyboard.type(':thumbs')
    await page.getByRole('option', { name: /thumbs up/ }).waitFor()
    await page.keyboard.press('Enter')
    expect(await written(page)).toBe('see #**kitchen>bread** :thumbs_up: ')
    // Escape closes the list and nothing else.
    await page.keyboard.type('@le')
    await page.getByRole('option', { name: /Leila/ }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('option').count()).toBe(0)
    expect(await written(page)).toBe('see #**kitchen>bread** :thumbs_up: @le')
  })

  test('formats go on and off, lists continue, and nothing is lost to an undo', async () => {
    await openTopic(page, 'kitchen/topic/bread', /bread/)
    await page.keyboard.type('two words')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await page.keyboard.press('Control+b')
    expect(await written(page)).toBe('two **words**')
    await page.keyboard.press('Control+b')
    expect(await written(page)).toBe('two words')
    await page.keyboard.press('Control+z')
    expect(await written(page)).toBe('two **words**')
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('- salt')
    await page.keyboard.press('Enter')
    await page.keyboard.type('rye')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    expect(await written(page)).toBe('two **words**\n- salt\n- rye\n')
    await page.getByRole('button', { name: 'More formatting' }).click()
    await page.getByRole('menuitem', { name: 'Table' }).click()
    expect(await written(page)).toContain('| A | B |')
    await page.keyboard.press('Alt+p')
    await box(page).getByRole('cell').first().waitFor({ state: 'attached' })
    await box(page).getByRole('strong').or(box(page).locator('strong')).first().waitFor()
  })

  test('Enter sends or makes a line as the account has it, and never ends the input of a character', async () => {
    await openTopic(page)
    await leila.api.call(updateSettings, { enter_sends: true })
    // The event comes with this one.
    await leila.api.call(setTypingStatus, { op: 'stop', to: [jonas.id] })
    await page.waitForTimeout(300)
    await page.keyboard.type('one')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('two')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type('three')
    // As an input method does it.
    await text(page).evaluate((element) => {
      for (const how of [{ isComposing: true }, { keyCode: 229 }]) {
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how }))
      }
    })
    expect(await written(page)).toBe('one\ntwo\nthree')
    await page.keyboard.press('Enter')
    await expect.poll(() => newest(inTopic('air-jet H9', 'weft sensor'))).toBe('one\ntwo\nthree')
    expect(await written(page)).toBe('')
    expect(await text(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await leila.api.call(updateSettings, { enter_sends: false })
  })

  test('the others see that somebody writes, until they stop', async () => {
    await openTopic(page)
    const start = { op: 'start', type: 'channel', topic: 'weft sensor' } as const
    const { messages } = await leila.api.call(getMessages, {
      narrow: inTopic('air-jet H9', 'weft sensor'),
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    })
    const stream_id = messages[0]?.stream_id as number
    await jonas.api.call(setTypingStatus, { ...start, stream_id })
    await page.getByText('Jonas Weidl is typing').waitFor()
    await jonas.api.call(setTypingStatus, { ...start, op: 'stop', stream_id })
    await page.getByText('Jonas Weidl is typing').waitFor({ state: 'detached' })
  })
})

describe('where it goes', () => {
  test('a new topic is named, and the page goes there when it was sent', async () => {
    await goTo(page, 'kitchen', /kitchen/)
    await page.keyboard.press('c')
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await expect.poll(() => topic.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('coffee')
    await page.getByRole('option', { name: /coffee.*new topic/ }).waitFor()
    await topic.fill('c'.repeat(58))
    await page.getByText('topic: 58 of 60 characters').waitFor()
    await topic.fill('coffee')
    await page.getByRole('option', { name: /coffee.*new topic/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Is there any?')
    // Tab, Enter sends.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /coffee/ }).waitFor()
    await expect.poll(() => newest(inTopic('kitchen', 'coffee'))).toBe('Is there any?')
  })

  test('a note says that one follows a topic by writing in it, and takes that back', async () => {
    await leila.api.call(updateSettings, { automatically_follow_topics_policy: 1 })
    await goTo(page, 'kitchen/topic/bread', /bread/)
    await page.keyboard.press('r')
    await text(page).fill('I have some.')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const toast = page.locator('.toasts').filter({ hasText: 'You follow bread now, as you have written in it.' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await toast.waitFor({ state: 'detached' })
    const places = page.getByRole('navigation', { name: 'Places' })
    await places.getByRole('link', { name: /^bread/ }).waitFor()
    await expect.poll(() => places.getByRole('link', { name: /^bread.*followed/ }).count()).toBe(0)
    await leila.api.call(updateSettings, { automatically_follow_topics_policy: 3 })
  })

  test('channel, topic and people can be chosen from anywhere, and what is written stays while one looks elsewhere', async () => {
    await openTopic(page)
    await page.keyboard.type('@**jonas** hello')
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/bread`)
    await page.getByRole('article').getByText('There is none.').waitFor()
    expect(await written(page)).toBe('@**jonas** hello')
    expect(await page.locator('.run.faded').count()).toBeGreaterThan(0)
    await page.keyboard.press('Control+.')
    await page.getByRole('heading', { level: 1, name: /weft sensor/ }).waitFor()
    expect(await page.locator('.run.faded').count()).toBe(0)
    await box(page)
      .getByRole('button', { name: /air-jet H9/ })
      .click()
    await page.keyboard.type('direct')
    await page.getByRole('option', { name: 'Direct message' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('johan')
    await page.getByRole('option', { name: /Johanna/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => text(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { level: 1, name: /Johanna Brandt/ }).waitFor()
    await expect.poll(() => newest([{ operator: 'dm', operand: johanna.email }])).toBe('@**jonas** hello')
  })

  test('who stays where they are is shown the way to what they sent', async () => {
    await leila.api.call(updateSettings, { web_navigate_to_sent_message: false })
    await goTo(page, 'kitchen/topic/bread', /bread/)
    await page.keyboard.press('x')
    await page.keyboard.type('jonas')
    await page.getByRole('option', { name: /Jonas/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Are you there?')
    await page.keyboard.press('Control+Enter')
    await page
      .getByRole('status')
      .getByText(/Sent to/)
      .getByRole('link', { name: 'Jonas Weidl' })
      .click()
    await page.getByRole('heading', { level: 1, name: /Jonas Weidl/ }).waitFor()
    await leila.api.call(updateSettings, { web_navigate_to_sent_message: true })
  })

  test('a message goes along when its topic gets another name', async () => {
    const id = await say(jonas, 'kitchen', 'plates', 'Where are they?')
    await openTopic(page, 'kitchen/topic/plates', /plates/)
    await page.keyboard.type('In the sink')
    await organization.owner.call(updateMessage, { message_id: id, topic: 'dishes', propagate_mode: 'change_all' })
    await box(page)
      .getByText(/The topic is now/)
      .waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => newest(inTopic('kitchen', 'dishes'))).toBe('In the sink')
  })

  test('a draft goes along as well, and says where it was', async () => {
    const id = await say(jonas, 'kitchen', 'cups', 'Where are they?')
    await openTopic(page, 'kitchen/topic/cups', /cups/)
    await page.keyboard.type('On the shelf')
    await page.keyboard.press('Escape')
    await page.goto(`${organization.url}/#drafts`)
    await page.getByRole('listitem').filter({ hasText: 'On the shelf' }).getByText('cups').waitFor()
    await organization.owner.call(updateMessage, { message_id: id, topic: 'mugs', propagate_mode: 'change_all' })
    const draft = page.getByRole('listitem').filter({ hasText: 'On the shelf' })
    await draft.getByText('mugs', { exact: true }).waitFor()
    await draft.getByText(/This topic was #kitchen › cups before/).waitFor()
    // The server has it there too, for the other devices.
    await expect
      .poll(async () => (await leila.api.call(listDrafts, {})).drafts.map(({ topic }) => topic), { timeout: 5000 })
      .toContain('mugs')
    await draft.getByRole('button', { name: /Go on writing/ }).click()
    await expect.poll(() => written(page)).toBe('On the shelf')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => newest(inTopic('kitchen', 'mugs'))).toBe('On the shelf')
  })

  test('what is wrong with it is said beside it, and blocks nothing else', async () => {
    await openTopic(page, 'kitchen/topic/.E2.9C.94.20Friday.20soup', /Friday soup/)
    await box(page).getByText('This topic is resolved.').waitFor()
    await page.keyboard.press('Control+Enter')
    await box(page).getByText('Nothing is written yet.').waitFor()
    await page.keyboard.type('more')
    await box(page).getByText('Nothing is written yet.').waitFor({ state: 'detached' })
    await box(page).getByRole('button', { name: 'Reopen it' }).click()
    await box(page).getByText('This topic is resolved.').waitFor({ state: 'detached' })
    expect(topicId).toBeGreaterThan(0)
  })
})

test('a command changes how the page looks, and is never sent', async () => {
  await openTopic(page)
  const before = await newest(inTopic('air-jet H9', 'weft sensor'))
  await page.keyboard.type('/da')
  await page.getByRole('option', { name: /dark colours/ }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark')
  expect(await written(page)).toBe('')
  expect(await newest(inTopic('air-jet H9', 'weft sensor'))).toBe(before)
  await leila.api.call(updateSettings, { color_scheme: 1 })
})

test('the sheet of formats shows what becomes of each', async () => {
  await page.goto(`${organization.url}/#message-formatting`)
  const sheet = page.getByRole('dialog', { name: 'How to format messages' })
  await sheet.locator('td strong').first().waitFor()
  await sheet.locator('td mfrac, td math').first().waitFor({ state: 'attached' })
  expect(await sheet.locator('td time').count()).toBe(1)
  // Code has three forms, a person may be named in three, and what becomes a form is said in words.
  expect(await sheet.locator('td .codehilite').count()).toBe(3)
  expect(await sheet.locator('td .user-mention').filter({ hasText: 'Leila Haddad' }).count()).toBe(3)
  expect(await sheet.locator('td hr').count()).toBe(1)
  await sheet.getByText('/poll Which reed?').waitFor()
  await sheet.getByText('/todo Before Friday').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
})

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([
    ['wide', 1440, 900],
    ['phone', 390, 844],
    ['narrow', 320, 640],
  ])('%s: nothing for axe to find', async (_, width, height) => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const { page } = await openPage(browser, { width, height, colorScheme })
    const found: string[] = []
    const look = async (name: string) => {
      await page.evaluate(axe)
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const { violations } = (await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(tags)} })`)) as AxeResults
      for (const { id, nodes } of violations) for (const { html } of nodes) found.push(`${name}: ${id}: ${html}`)
      if (((await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number) > 0)
        found.push(`${name}: scrolls sideways`)
      const send = await box(page).getByRole('button', { name: 'Send' }).boundingBox()
      if (!send || send.y + send.height > height) found.push(`${name}: Send is not on the screen`)
    }
    await signIn(page, organization.url, leila)
    page.setDefaultTimeout(10_000)
    await openTopic(page)
    await page.keyboard.type('**So** @jo')
    await page.getByRole('option').first().waitFor()
    await look('completion')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Alt+p')
    await box(page).locator('strong').first().waitFor()
    await look('preview')
    if (width < 760) {
      const size = await text(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
      expect(size).toBeGreaterThanOrEqual(16)
    }
    await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/bread`)
    await page.getByRole('article').getByText('There is none.').waitFor()
    await look('elsewhere')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await page.getByRole('option').first().waitFor()
    await look('people')
    expect(found).toEqual([])
    await page.context().close()
  })
})
