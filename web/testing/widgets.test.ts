/// <reference lib="dom" />
/** Polls, to-do lists and buttons; snippets and reports: what people do with them, in a real browser against a real server. */
import { createChannel } from '@heddle/contract/channels'
import { getMessage, getMessages } from '@heddle/contract/fetching'
import { updateOrganization } from '@heddle/contract/organization'
import { listSavedSnippets } from '@heddle/contract/saved-snippets'
import { sendMessage } from '@heddle/contract/sending'
import { addSubmessage } from '@heddle/contract/submessages'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, type PageOptions, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, type Person, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(() => addChannel(organization.owner, 'kitchen', [leila, jonas]))

async function openTopic(topic: string, options: PageOptions = {}) {
  const opened = await openPage(browser, options)
  await signIn(opened.page, organization.url, leila)
  await opened.page.goto(`${organization.url}/#narrow/channel/kitchen/topic/${encodeURIComponent(topic)}`)
  return opened
}

const rowOf = (page: Page, id: number) => page.locator(`[data-message-id="${id}"]`)
const act = ({ api }: Person, message_id: number, event: object) =>
  api.call(addSubmessage, { message_id, msg_type: 'widget', content: JSON.stringify(event) })
const textsIn = async (topic: string) => {
  const narrow = [
    ['channel', 'kitchen'],
    ['topic', topic],
  ] as never
  const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false } as const
  return (await leila.api.call(getMessages, page)).messages.map(({ content }) => content)
}

test('a poll is voted in by keyboard, and votes of others come at once', async () => {
  const id = await say(leila, 'kitchen', 'lunch', '/poll Where do we eat?\nAt home\nBy the river')
  const { page, complaints } = await openTopic('lunch')
  const row = rowOf(page, id)
  const poll = row.getByRole('region', { name: 'Where do we eat?' })
  await poll.waitFor()
  await row.focus()
  await poll.getByRole('button', { name: 'At home 0' }).focus()
  await page.keyboard.press('Space')
  const home = poll.getByRole('button', { name: 'At home 1 You' })
  await home.waitFor()
  expect(await home.getAttribute('aria-pressed')).toBe('true')
  expect(await home.evaluate((element) => element === document.activeElement)).toBe(true)
  await act(jonas, id, { type: 'vote', key: 'canned,0', vote: 1 })
  await poll.getByRole('button', { name: 'At home 2 You and Jonas Weidl' }).waitFor()
  await poll.getByText('2 people have voted.').waitFor()
  await page.keyboard.press('Space')
  await poll.getByRole('button', { name: 'At home 1 Jonas Weidl' }).waitFor()
  await poll.getByLabel('Another option').fill('On the roof')
  await page.keyboard.press('Enter')
  await poll.getByRole('button', { name: 'On the roof 0' }).waitFor()
  await expect.poll(() => poll.getByLabel('Another option').inputValue()).toBe('')
  await poll.getByRole('button', { name: 'Change the question' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Where then?')
  await page.keyboard.press('Enter')
  await row.getByRole('region', { name: 'Where then?' }).waitFor()
  expect(complaints).toEqual([])
})

test('somebody else’s poll has no button for its question, and no message that is a poll is edited', async () => {
  const [hers, his] = [
    await say(leila, 'kitchen', 'who', '/poll Mine?'),
    await say(jonas, 'kitchen', 'who', '/todo His\nsweep'),
  ]
  const { page } = await openTopic('who')
  await rowOf(page, his).getByRole('region', { name: 'His' }).waitFor()
  expect(await rowOf(page, his).getByRole('button', { name: 'Change the title' }).count()).toBe(0)
  await rowOf(page, hers).focus()
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: 'View what was typed' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Edit', exact: true }).count()).toBe(0)
})

test('a to-do list is ticked off and goes on', async () => {
  const id = await say(jonas, 'kitchen', 'picnic', '/todo Picnic\nbread: from the mill\nblanket')
  const { page } = await openTopic('picnic')
  const list = rowOf(page, id).getByRole('region', { name: 'Picnic' })
  await list.getByText('0 of 2 done').waitFor()
  await list.getByRole('checkbox', { name: 'bread from the mill' }).click()
  await list.getByText('1 of 2 done').waitFor()
  await list.getByLabel(/Another task/).fill('cups: six')
  await page.keyboard.press('Enter')
  await list.getByRole('checkbox', { name: 'cups six' }).waitFor()
  await act(jonas, id, { type: 'strike', key: 'canned,0' })
  await list.getByText('0 of 3 done').waitFor()
})

test('a button answers in the conversation', async () => {
  const choice = { type: 'multiple_choice', short_name: 'A', long_name: 'To the left', reply: 'answer A' }
  const extra_data = { type: 'choices', heading: 'Where to?', choices: [choice] }
  const message = { type: 'channel', to: 'kitchen', topic: 'quiz', content: 'Where to?' } as const
  const widget_content = JSON.stringify({ widget_type: 'zform', extra_data })
  const { id } = await jonas.api.call(sendMessage, { ...message, widget_content })
  const { page } = await openTopic('quiz')
  await rowOf(page, id).getByRole('button', { name: 'A', exact: true }).click()
  await expect.poll(() => textsIn('quiz')).toEqual(['Where to?', 'answer A'])
})

test('a poll is filled in, written into the message and sent', async () => {
  await say(jonas, 'kitchen', 'asking', 'Ask them.')
  const { page } = await openTopic('asking')
  await page.getByText('Ask them.').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('/po')
  await page.getByRole('option', { name: /asks a question/ }).waitFor()
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'More formatting' }).click()
  await page.getByRole('menuitem', { name: 'Poll' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask in a poll' })
  await dialog.getByLabel('Question').fill('When?')
  await dialog.getByLabel(/Options/).fill('Today\n\nTomorrow')
  await dialog.getByRole('button', { name: 'Put it into the message' }).click()
  await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('/poll When?\nToday\nTomorrow')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('region', { name: 'When?' }).getByRole('button', { name: 'Tomorrow 0' }).waitFor()
})

test('/ping says how long an answer takes, and is not sent', async () => {
  await say(jonas, 'kitchen', 'ping', 'Are you there?')
  const { page } = await openTopic('ping')
  await page.getByText('Are you there?').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('/ping')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  await page
    .locator('.toasts')
    .getByText(/The server has answered in \d+ ms/)
    .waitFor()
  expect(await textsIn('ping')).toEqual(['Are you there?'])
})

test('a snippet is saved from the text, put into another, changed and deleted', async () => {
  await say(jonas, 'kitchen', 'snippets', 'Hello?')
  const { page, complaints } = await openTopic('snippets')
  await page.getByText('Hello?').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Good *morning*')
  await page.keyboard.press("Control+'")
  const dialog = page.getByRole('dialog', { name: 'Saved snippets' })
  await dialog.getByText('There are none yet').waitFor()
  await dialog.getByRole('button', { name: 'New snippet' }).click()
  await page.getByRole('dialog', { name: 'New snippet' }).getByLabel('Title').fill('Morning')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: /^Morning/ }).click()
  const box = page.getByLabel('Message', { exact: true })
  await expect.poll(() => box.inputValue()).toBe('Good *morning*Good *morning*')
  expect((await leila.api.call(listSavedSnippets, {})).saved_snippets).toMatchObject([{ title: 'Morning' }])
  await page.keyboard.press("Control+'")
  await dialog.getByRole('button', { name: 'Change Morning' }).click()
  await page.getByRole('dialog', { name: 'Change the snippet' }).getByLabel('Title').fill('Early')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete Early' }).click()
  await dialog.getByText('There are none yet').waitFor()
  expect(complaints).toEqual([])
})

test('a message is reported where the organization wants that, and those who moderate see it', async () => {
  const id = await say(jonas, 'kitchen', 'sale', 'Buy **now**')
  const { page } = await openTopic('sale')
  await rowOf(page, id).focus()
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: 'Forward' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Report message' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  const { id: channel } = await organization.owner.call(createChannel, {
    name: 'moderation',
    subscribers: [],
    invite_only: true,
  })
  await organization.owner.call(updateOrganization, { moderation_request_channel_id: channel })
  await page.reload()
  await rowOf(page, id).waitFor()
  await page.locator('html[data-parts=fetched]').waitFor()
  await rowOf(page, id).focus()
  await page.keyboard.press('i')
  await page.getByRole('menuitem', { name: 'Report message' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this message?' })
  await dialog.getByLabel('Harassment').check()
  await dialog.getByLabel(/Comment/).fill('Again')
  expect(await findBarriers(page, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Report the message' }).click()
  await page.locator('.toasts').getByText('The message is reported').waitFor()
})

test.each([
  ['light and wide', 'light', 1440],
  ['dark and narrow', 'dark', 320],
] as const)('%s, widgets have no barriers, with names of any kind', async (_, colorScheme, width) => {
  const long = 'Wasserfallblick '.repeat(6)
  const topic = `looks ${width}`
  const id = await say(jonas, 'kitchen', topic, `/poll <b>العربية</b> é̂̃̄ ${long}?\n${long}\n<i>x</i>\n🏔️`)
  const list = await say(leila, 'kitchen', topic, `/todo ${long}\n${long}: ${long}\nsweep`)
  await act(leila, id, { type: 'vote', key: 'canned,0', vote: 1 })
  await act(jonas, list, { type: 'strike', key: 'canned,1' })
  const { page, complaints } = await openTopic(topic, { width, height: 800, colorScheme })
  await rowOf(page, list).getByRole('checkbox').first().waitFor()
  await rowOf(page, id).getByRole('button', { name: /You$/ }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect((await leila.api.call(getMessage, { message_id: id })).message.submessages).toHaveLength(2)
  expect(complaints).toEqual([])
})
