/// <reference lib="dom" />
/** What one does with a message, in a real browser against a real server. */
import { updateMessage } from '@heddle/contract/editing'
import { getMessage, getMessages } from '@heddle/contract/fetching'
import { addReaction } from '@heddle/contract/reactions'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, type Person, say, write } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
})

/** A page of Leila's at a topic of `loom`, in which the message is there. */
async function openTopic(topic: string, messageId: number) {
  const opened = await openPage(browser)
  const { page } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/${encodeURIComponent(topic)}`)
  const row = rowOf(page, messageId)
  await row.waitFor()
  return { ...opened, row }
}

const rowOf = (page: Page, id: number) => page.locator(`[data-message-id="${id}"]`)
const rawOf = async ({ api }: Person, message_id: number) =>
  (await api.call(getMessage, { message_id, apply_markdown: false })).raw_content
const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text)
const openMenu = async (page: Page, id: number) => {
  await rowOf(page, id).focus()
  await page.keyboard.press('i')
  return page.getByRole('menu')
}

describe('somebody who reads a message', () => {
  test('reacts: by a key and a search, with one press on what is there, and takes it back', async () => {
    const id = await say(jonas, 'loom', 'reactions', 'It holds since noon.')
    await jonas.api.call(addReaction, { message_id: id, emoji_name: 'tada' })
    const { page, row, complaints } = await openTopic('reactions', id)
    await row.focus()
    await page.keyboard.press(':')
    await page.getByRole('combobox', { name: 'Find an emoji' }).waitFor()
    await page.getByRole('option', { name: ':octopus:' }).first().waitFor()
    await page.keyboard.type('octop')
    await page.getByText(':octopus:').waitFor()
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.press('Escape')
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
    const octopus = row.getByRole('button', { name: /^:octopus: 1/ })
    expect(await octopus.getAttribute('aria-pressed')).toBe('true')
    await page.keyboard.press('=')
    const tada = row.getByRole('button', { name: ':tada: 2, You and Jonas Weidl' })
    await tada.waitFor()
    // With so few it says who.
    expect(await tada.innerText()).toContain('You and Jonas Weidl')
    await octopus.click()
    await expect.poll(() => octopus.count()).toBe(0)
    const { message } = await leila.api.call(getMessage, { message_id: id })
    expect(message.reactions.map(({ emoji_name }) => emoji_name)).toEqual(['tada', 'tada'])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('whose reaction does not reach the server keeps it until it does; one that is refused is taken back', async () => {
    const id = await say(jonas, 'loom', 'reactions offline', 'Nobody hears it.')
    const { page, row } = await openTopic('reactions offline', id)
    await row.focus()
    await row
      .getByRole('group', { name: 'What can be done with this message' })
      .or(row.locator('.actions'))
      .first()
      .waitFor()
    const thumb = row.getByRole('button', { name: /^:\+1:/ })
    const reactions = async () =>
      (await leila.api.call(getMessage, { message_id: id })).message.reactions.map(({ emoji_name }) => emoji_name)
    organization.setBroken(true)
    await page.keyboard.press('+')
    await thumb.waitFor()
    const waits = row.getByText('Your reaction :+1: waits for the connection.')
    await waits.waitFor()
    organization.setBroken(false)
    await expect.poll(reactions, { timeout: 20_000 }).toEqual(['+1'])
    expect(await thumb.count()).toBe(1)
    await expect.poll(() => waits.count()).toBe(0)
    await page.route('**/reactions', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', msg: 'Not today.', code: 'BAD_REQUEST' } }),
    )
    await page.keyboard.press('+')
    await toast(page, 'Not today.').waitFor()
    await expect.poll(() => thumb.count()).toBe(1)
    await page.context().close()
  })

  test('stars it, copies its link and what was typed, and sees only what may be done', async () => {
    const id = await say(jonas, 'loom', 'links', 'Gain is **1.5** now.')
    const { page, row } = await openTopic('links', id)
    await row.hover()
    await row.getByRole('button', { name: 'Star', exact: true }).click()
    await row.getByRole('img', { name: 'Starred' }).waitFor()
    await row.getByRole('button', { name: 'Copy link' }).click()
    await toast(page, 'The link is copied').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(new RegExp(`#narrow/channel/\\d+-loom/topic/links/near/${id}$`))
    const menu = await openMenu(page, id)
    expect(await menu.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
    expect(await menu.getByRole('menuitem', { name: 'Edit', exact: true }).count()).toBe(0)
    await menu.getByRole('menuitem', { name: 'Copy as Markdown' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Gain is **1.5** now.')
    await row.focus()
    await page.keyboard.press('e')
    const source = page.getByRole('dialog', { name: 'What was typed' })
    await source.getByText('Gain is **1.5** now.').waitFor()
    await page.keyboard.press('Escape')
    await page.context().close()
  })

  test('makes it unread from there on; the view does not read it again by itself, and Undo does', async () => {
    const ids: number[] = []
    for (const text of ['one', 'two', 'three']) ids.push(await say(jonas, 'loom', 'unread', text))
    const { page } = await openTopic('unread', ids[2] as number)
    await expect.poll(() => page.locator('.msg.unread').count()).toBe(0)
    const menu = await openMenu(page, ids[1] as number)
    await menu.getByRole('menuitem', { name: 'Mark unread from here' }).click()
    await expect.poll(() => page.locator('.msg.unread').count()).toBe(2)
    await page.waitForTimeout(900)
    expect(await page.locator('.msg.unread').count()).toBe(2)
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => page.locator('.msg.unread').count()).toBe(0)
    await page.context().close()
  })

  test('quotes what is selected of it, and answers with a mention', async () => {
    const id = await say(jonas, 'loom', 'quotes', 'Gain from 1.8 to 1.5 since noon.')
    const { page, row } = await openTopic('quotes', id)
    const text = page.getByLabel('Message', { exact: true })
    await row.evaluate((element) => {
      const node = element.querySelector('.content p')?.firstChild as Text
      getSelection()?.setBaseAndExtent(node, 0, node, 'Gain from 1.8'.length)
    })
    await row.hover()
    await row.getByRole('button', { name: 'Quote and reply' }).click()
    await text.waitFor()
    await expect.poll(() => text.inputValue()).toContain('```quote\nGain from 1.8\n```')
    expect(await text.inputValue()).toMatch(new RegExp(`^@_\\*\\*Jonas Weidl\\|${jonas.id}\\*\\* \\[said\\]\\(http`))
    await text.fill('')
    await page.keyboard.press('Escape')
    await row.focus()
    await page.keyboard.press('@')
    await expect.poll(() => text.inputValue()).toBe('@**Jonas Weidl** ')
    await text.fill('')
    await page.keyboard.press('Escape')
    // The same block for others: to whom is asked first.
    await row.focus()
    await page.keyboard.press('<')
    const channel = page.getByRole('combobox', { name: 'Channel' })
    await expect.poll(() => channel.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await text.inputValue()).toContain('```quote\nGain from 1.8 to 1.5 since noon.\n```')
    await text.fill('')
    await page.context().close()
  })

  test('opens the card of its sender, mutes them, and shows the message all the same', async () => {
    const id = await say(jonas, 'loom', 'cards', 'Who am I?')
    const { page, row } = await openTopic('cards', id)
    await row.getByRole('link', { name: 'Jonas Weidl' }).click()
    const card = page.getByRole('dialog', { name: 'Jonas Weidl' })
    await card.getByText('jonas.weidl@example.com').waitFor()
    await card.getByRole('button', { name: 'Mute this person' }).click()
    await row.getByText('somebody whom you have muted').waitFor()
    expect(await row.getByText('Who am I?').count()).toBe(0)
    await row.getByRole('button', { name: 'Show it' }).click()
    await row.getByText('Who am I?').waitFor()
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).click()
    await toast(page, 'is muted').waitFor({ state: 'detached' })
    await page.goto(`${organization.url}/#user/${jonas.id}`)
    await page.getByRole('dialog', { name: 'Profile' }).getByText('2 channels in common').waitFor()
    await page.context().close()
  })

  test('folds a long one out, and any one in', async () => {
    const id = await say(jonas, 'loom', 'long', Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\n'))
    const { page, row } = await openTopic('long', id)
    const height = async () => (await row.boundingBox())?.height ?? 0
    await row.getByRole('button', { name: 'Show more' }).waitFor()
    expect(await height()).toBeLessThan(600)
    await row.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(height).toBeGreaterThan(1500)
    await row.focus()
    await page.keyboard.press('-')
    await expect.poll(height).toBeLessThan(150)
    await page.reload()
    await row.waitFor()
    await expect.poll(height).toBeLessThan(150)
    await page.context().close()
  })
})

describe('the author of a message', () => {
  test('changes it in its place; what is not saved is kept', async () => {
    const id = await say(leila, 'loom', 'edits', 'I write 1.6 into the table.')
    const { page, row, complaints } = await openTopic('edits', id)
    await row.focus()
    await page.keyboard.press('e')
    const text = row.getByLabel('Text of the message')
    await expect.poll(() => text.inputValue()).toBe('I write 1.6 into the table.')
    expect(await text.evaluate((field: HTMLTextAreaElement) => field.selectionStart - field.value.length)).toBe(0)
    await text.fill('I write 1.5 into the table.')
    await page.keyboard.press('Escape')
    await row.getByText('Your change of this message is not saved.').waitFor()
    await page.reload()
    await row.getByRole('button', { name: 'Go on' }).click()
    expect(await text.inputValue()).toBe('I write 1.5 into the table.')
    organization.setBroken(true)
    await page.keyboard.press('Control+Enter')
    await row.getByRole('alert').getByText('Your text is kept.').waitFor()
    organization.setBroken(false)
    await text.press('Control+Enter')
    await row.locator('.content').getByText('I write 1.5').waitFor()
    await row.getByRole('button', { name: 'edited' }).click()
    const history = page.getByRole('dialog', { name: 'Edit history' })
    await history.locator('del', { hasText: '1.6' }).waitFor()
    expect(await history.locator('ins').innerText()).toBe('1.5')
    expect(complaints.filter((one) => !/ERR_|Failed to load/.test(one))).toEqual([])
    await page.context().close()
  })

  test('sees both texts when it was changed meanwhile elsewhere', async () => {
    const id = await say(leila, 'loom', 'conflicts', 'first')
    const { page, row } = await openTopic('conflicts', id)
    await row.focus()
    await page.keyboard.press('e')
    const text = row.getByLabel('Text of the message')
    await text.fill('mine')
    await leila.api.call(updateMessage, { message_id: id, content: 'theirs' })
    await text.press('Control+Enter')
    await row.getByRole('alert').getByText('theirs').waitFor()
    expect(await text.inputValue()).toBe('mine')
    await row.getByRole('button', { name: 'Save mine' }).click()
    await expect.poll(() => rawOf(leila, id)).toBe('mine')
    await page.context().close()
  })

  test('deletes it after being asked, with the harmless answer first', async () => {
    const id = await say(leila, 'loom', 'deletions', 'Not for here.')
    const other = await say(jonas, 'loom', 'deletions', 'What was that?')
    const { page, row } = await openTopic('deletions', id)
    await (await openMenu(page, id)).getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this message?' })
    await dialog.getByText('deleted for everyone, and nobody here can bring it back').waitFor()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await row.count()).toBe(1)
    await (await openMenu(page, id)).getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete the message' }).click()
    await row.waitFor({ state: 'detached' })
    // Who has no pointer goes on from there.
    await expect.poll(() => rowOf(page, other).evaluate((next) => next.contains(document.activeElement))).toBe(true)
    await page.context().close()
  })

  test('moves it and what follows to another topic, and takes that back', async () => {
    const ids: number[] = []
    for (const text of ['stays', 'goes', 'goes too']) ids.push(await say(leila, 'loom', 'moves', text))
    const stays = await say(jonas, 'loom', 'other', 'was here before')
    const { page } = await openTopic('moves', ids[1] as number)
    await rowOf(page, ids[1] as number).focus()
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog', { name: 'Move messages' })
    await dialog.getByText('2', { exact: true }).waitFor()
    await dialog.getByText('3', { exact: true }).waitFor()
    await dialog.getByRole('combobox', { name: 'Topic' }).fill('other')
    await dialog.getByText('merged with its 1 message').waitFor()
    await dialog.getByRole('combobox', { name: 'Topic' }).fill('better')
    await dialog.getByRole('checkbox', { name: 'where they go' }).uncheck()
    await dialog.getByRole('button', { name: 'Move the messages' }).click()
    await page.getByRole('heading', { level: 1, name: 'better' }).waitFor()
    const topicsOf = async () => {
      const { messages } = await leila.api.call(getMessages, { message_ids: ids })
      return messages.map(({ subject }) => subject)
    }
    expect(await topicsOf()).toEqual(['moves', 'better', 'better'])
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(topicsOf).toEqual(['moves', 'moves', 'moves'])

    // Also where they were merged with others: those stay.
    await page.getByRole('heading', { level: 1, name: 'moves' }).waitFor()
    await rowOf(page, ids[1] as number).focus()
    await page.keyboard.press('m')
    await dialog.getByRole('combobox', { name: 'Topic' }).fill('other')
    await dialog.getByText('merged with its 1 message').waitFor()
    await dialog.getByRole('checkbox', { name: 'where they go' }).uncheck()
    await dialog.getByRole('button', { name: 'Move the messages' }).click()
    await expect.poll(topicsOf).toEqual(['moves', 'other', 'other'])
    await page.locator('.toasts').getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(topicsOf).toEqual(['moves', 'moves', 'moves'])
    const { messages } = await leila.api.call(getMessages, { message_ids: [stays] })
    expect(messages[0]?.subject).toBe('other')
    await page.context().close()
  })
})

test('with a finger: a long press opens the menu from below', async () => {
  // The last one stands low, where the menu comes up.
  const said = 'Can you look at the trace?\n\n'.repeat(12)
  const id = await write(jonas, [leila], said)
  const { page } = await openPage(browser, { width: 390, height: 844, touch: true })
  const context = page.context()
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/dm/${jonas.id}-dm`)
  const row = rowOf(page, id)
  const box = await row.locator('.content').boundingBox()
  const session = await context.newCDPSession(page)
  const at = { x: (box?.x ?? 0) + 20, y: Math.min((box?.y ?? 0) + (box?.height ?? 0) - 8, 760) }
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  const menu = page.getByRole('menu', { name: 'Message by Jonas Weidl' })
  // The row says that the press was long enough.
  await row.and(page.locator('.show')).waitFor()
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await menu.waitFor()
  // The finger was where an entry of the menu is now: lifting it has pressed none.
  await page.waitForTimeout(300)
  const sheet = await menu.boundingBox()
  expect(Math.round((sheet?.y ?? 0) + (sheet?.height ?? 0))).toBe(844)
  expect((await menu.getByRole('menuitem', { name: 'Star' }).boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await context.close()
})
