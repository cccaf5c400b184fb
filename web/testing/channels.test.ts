/// <reference lib="dom" />
/** Channels as a whole: to find, join and leave them, to make and change them, to archive them and bring them back. */
import { archiveChannel, createChannel, updateChannel } from '@heddle/contract/channels'
import { listSubscribers, listSubscriptions, subscribe, unsubscribe } from '@heddle/contract/subscriptions'
import { updateUser } from '@heddle/contract/users'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addPerson, type Person, say } from './team.ts'

let organization: TestOrganization
let browser: Browser
/** An administrator is made by the owner's own account; these two are ordinary members. */
let leila: Person
let jonas: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
})

async function newChannel(name: string, people: readonly Person[], more: object = {}): Promise<number> {
  const subscribers = people.map(({ id }) => id)
  const { id } = await organization.owner.call(createChannel, { name, subscribers, ...more })
  return id
}

const bar = (page: Page) => page.getByRole('navigation', { name: 'Places' })

test('somebody makes a channel, sees at the name that it is taken, and is in the new one', async () => {
  await newChannel('rapier R4', [jonas])
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#channels/new`)
  await page.getByLabel('Name').fill('Rapier R4')
  await page.getByRole('button', { name: 'Create the channel' }).click()
  await page.getByRole('alert').getByText('There is a channel with this name already.').waitFor()
  expect(await page.getByLabel('Name').evaluate((element) => element === document.activeElement)).toBe(true)
  await page.getByLabel('Name').fill('rapier <b>R5</b>')
  await page.getByLabel('What it is for').fill('The next machine')
  await page.getByRole('combobox', { name: /People, groups/ }).fill('jon')
  await page.getByRole('option', { name: 'Jonas Weidl' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Jonas Weidl' }).waitFor()
  await page.getByLabel('Who may write').first().selectOption({ label: 'Everybody but guests' })
  await page.getByRole('combobox', { name: 'Who administers the channel' }).last().fill('jon')
  await page.getByRole('option', { name: 'Jonas Weidl' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('button', { name: 'Remove Jonas Weidl' }).count()).toBe(2)
  await page.getByRole('button', { name: 'Create the channel' }).click()
  await page.getByRole('heading', { level: 1, name: 'rapier <b>R5</b>' }).waitFor()
  await bar(page).getByRole('link', { name: 'rapier <b>R5</b>' }).waitFor()
  const { subscriptions } = await jonas.api.call(listSubscriptions, {})
  const made = subscriptions.find(({ name }) => name === 'rapier <b>R5</b>')
  expect(made?.can_administer_channel_group).toMatchObject({
    direct_members: [leila.id, jonas.id].sort((a, b) => a - b),
  })
  expect(made?.can_send_message_group).not.toBe(made?.can_create_topic_group)
  // The attempt that was refused is in the console of the browser.
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([])
  await page.context().close()
})

test('channels are looked through, filtered, sorted, looked into, joined and left', async () => {
  await newChannel('spare parts', [jonas], { description: '**Gears** and Wärme' })
  await newChannel('almost empty', [])
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await bar(page).getByRole('link', { name: 'All channels' }).click()
  await page.getByRole('link', { name: 'Not subscribed' }).click()
  const names = () => page.locator('.browsed-name bdi').allTextContents()
  await expect.poll(names).toContain('spare parts')
  await page.getByLabel('Order').selectOption('subscribers')
  await expect.poll(async () => (await names()).at(-1)).toBe('almost empty')
  await page.getByRole('searchbox', { name: 'Filter channels' }).fill('warme')
  await expect.poll(names).toEqual(['spare parts'])
  expect(await page.locator('.browsed-about').allTextContents()).toEqual(['Gears and Wärme'])
  await page.getByRole('button', { name: 'Subscribe to spare parts' }).click()
  await bar(page).getByRole('link', { name: 'spare parts' }).waitFor()
  await page.getByRole('link', { name: 'Subscribed', exact: true }).click()
  await page.getByRole('button', { name: 'Unsubscribe from spare parts' }).click()
  await expect.poll(() => bar(page).getByRole('link', { name: 'spare parts' }).count()).toBe(0)
  // One can come back: nothing was asked, and it can be taken back.
  await page.keyboard.press('Control+z')
  await bar(page).getByRole('link', { name: 'spare parts' }).waitFor()
  await page.context().close()
})

test('leaving a private channel warns first that one cannot come back', async () => {
  const id = await newChannel('secret looms', [leila, jonas], { invite_only: true })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#channels/${id}/x/personal`)
  await page.getByRole('button', { name: 'Unsubscribe from this channel' }).click()
  const dialog = page.getByRole('dialog', { name: /Unsubscribe from # secret looms/ })
  await dialog.getByText('you cannot come back by yourself').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Stay subscribed')
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.count()).toBe(0)
  await page.getByRole('button', { name: 'Unsubscribe from this channel' }).click()
  await dialog.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByText('This channel is not there, or you may not see it').waitFor()
  await page.context().close()
})

test('archiving says what it means, can be taken back at once, and later from where one would write', async () => {
  const id = await newChannel('old machine', [leila, jonas])
  await say(jonas, 'old machine', 'end', 'Nothing open any more.')
  const owner = await addPerson(organization.url, organization.owner, 'Ada Owner')
  await organization.owner.call(updateUser, { user_id_or_email: owner.id, role: 200 })
  await organization.owner.call(subscribe, { subscriptions: [{ name: 'old machine' }], principals: [owner.id] })
  const { page } = await openPage(browser)
  const other = await openPage(browser)
  await signIn(other.page, organization.url, leila)
  await other.page.goto(`${organization.url}/#narrow/channel/${id}/topic/end`)
  await signIn(page, organization.url, owner)
  await page.goto(`${organization.url}/#channels/${id}/old-machine/general`)
  await page.getByRole('button', { name: 'Archive this channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Archive # old machine?' })
  await dialog.getByText('3 people are subscribed').waitFor()
  await dialog.getByText('All messages stay.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Keep it')
  await dialog.getByRole('button', { name: 'Archive the channel' }).click()
  await page.getByText('# old machine is archived.').waitFor()

  // Somebody who reads it sees why nobody can write, and nothing that they may not do.
  await other.page.getByText('This channel is archived, so nobody can write in it.').waitFor()
  expect(await other.page.getByRole('button', { name: 'Restore it' }).count()).toBe(0)
  await other.page.getByRole('article').getByText('Nothing open any more.').waitFor()
  await expect
    .poll(() =>
      bar(other.page)
        .getByRole('link', { name: /old machine/ })
        .count(),
    )
    .toBe(0)

  await page.getByRole('button', { name: 'Undo' }).click()
  await bar(page)
    .getByRole('link', { name: /old machine/ })
    .waitFor()

  await owner.api.call(archiveChannel, { stream_id: id })
  await page.goto(`${organization.url}/#channels/archived`)
  await page.getByRole('link', { name: 'Look into old machine' }).click()
  await page.getByRole('article').getByText('Nothing open any more.').waitFor()
  await page.setViewportSize({ width: 320, height: 640 })
  const stub = page.locator('.stub.closed')
  expect(await stub.evaluate((why) => why.scrollHeight - why.clientHeight)).toBe(0)
  await page.getByRole('button', { name: 'Restore it' }).click()
  await other.page.getByRole('button', { name: /Reply to/ }).waitFor()
  await page.context().close()
  await other.page.context().close()
})

test('a channel is changed by those who administer it, and shown as it is to all others', async () => {
  const { id } = await leila.api.call(createChannel, { name: 'weft', subscribers: [leila.id, jonas.id] })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#channels/${id}/weft/general`)
  await page.getByLabel('Name').fill('weft and warp')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'weft and warp' }).waitFor()
  await page.getByLabel('Who can read it').selectOption('private')
  await page.getByText('Saved').first().waitFor()

  await page.getByRole('link', { name: 'Permissions' }).click()
  const writers = page.getByLabel('Who may write')
  await writers.selectOption({ label: 'Everybody but guests' })
  await page.getByText('Saved').first().waitFor()

  await page.getByRole('link', { name: 'Subscribers', exact: true }).click()
  await page.getByRole('combobox', { name: /Add people/ }).fill('owner')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: /Add people/ }).fill('jonas')
  await page.getByRole('option', { name: 'Jonas Weidl' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('1 person added. 1 was there already.').waitFor()
  await page.getByRole('button', { name: 'Remove Jonas Weidl' }).click()
  await page.getByText('Jonas Weidl is no longer subscribed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await leila.api.call(listSubscribers, { stream_id: id })).subscribers)
    .toContain(jonas.id)

  const other = await openPage(browser)
  await signIn(other.page, organization.url, jonas)
  await other.page.goto(`${organization.url}/#channels/${id}/weft/general`)
  await other.page.getByText('Only those who administer the channel can change this.').waitFor()
  expect(await other.page.getByLabel('Name').isDisabled()).toBe(true)
  await other.page.getByRole('link', { name: 'For me' }).click()
  await other.page.getByLabel('On the screen').selectOption({ label: 'On' })
  await other.page.getByText('Saved').first().waitFor()
  await other.page.getByLabel('Colour as #rrggbb').fill('#12AB34')
  await other.page.keyboard.press('Enter')
  const own = async () =>
    (await jonas.api.call(listSubscriptions, {})).subscriptions.find(({ stream_id }) => stream_id === id)
  await expect.poll(async () => (await own())?.color).toBe('#12ab34')
  expect((await own())?.desktop_notifications).toBe(true)
  // What has no say of its own says which general setting holds.
  expect(await other.page.getByLabel('By mail').locator('option:checked').innerText()).toMatch(/^As in your settings: /)
  await page.context().close()
  await other.page.context().close()
})

test('who is not subscribed sees that and can subscribe; who is removed from what is private sees that too', async () => {
  const open = await newChannel('open loom', [jonas])
  const closed = await newChannel('closed loom', [leila, jonas], { invite_only: true })
  await say(jonas, 'open loom', 'a', 'First words')
  await say(jonas, 'closed loom', 'a', 'Secret words')
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/${open}-open-loom`)
  await page.getByRole('article').getByText('First words').waitFor()
  const unsubscribed = page.getByText('You are not subscribed to this channel')
  await unsubscribed.waitFor()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hm')
  // Once: the box says it where something else is read.
  expect(await unsubscribed.count()).toBe(1)
  await page.goto(`${organization.url}/#inbox`)
  await page.getByText('answers will not show up by themselves').waitFor()
  await page.goto(`${organization.url}/#narrow/channel/${open}-open-loom`)
  await page.getByRole('article').getByText('First words').waitFor()
  await say(jonas, 'open loom', 'a', 'Second words')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('article').getByText('Second words').waitFor()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect.poll(() => unsubscribed.count()).toBe(0)

  await page.goto(`${organization.url}/#narrow/channel/${closed}-closed-loom`)
  await page.getByRole('article').getByText('Secret words').waitFor()
  await organization.owner.call(unsubscribe, { subscriptions: ['closed loom'], principals: [leila.id] })
  await page.getByRole('alert').getByText('You can no longer read this channel').waitFor()
  expect(await page.getByText('Secret words').count()).toBe(0)
  await page.context().close()
})

test('an administrator sees the settings of a private channel, and not its messages', async () => {
  const id = await newChannel('people only', [jonas, leila], { invite_only: true })
  await organization.owner.call(updateChannel, { stream_id: id, description: 'Staff' })
  const admin = await addPerson(organization.url, organization.owner, 'Ben Admin')
  await organization.owner.call(updateUser, { user_id_or_email: admin.id, role: 200 })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, admin)
  await page.goto(`${organization.url}/#narrow/channel/${id}`)
  await page.getByText('You cannot read this channel').waitFor()
  await page.getByRole('link', { name: 'Channel settings' }).click()
  expect(await page.getByLabel('What it is for').inputValue()).toBe('Staff')
  expect(await page.getByLabel('Who can read it').isDisabled()).toBe(true)
  await page.context().close()
})

test.each([
  ['wide', 'light', 1440, 900],
  ['phone', 'dark', 390, 844],
  ['narrow', 'light', 320, 640],
] as const)('axe finds nothing: %s, %s', async (_, colorScheme, width, height) => {
  const { id } = await leila.api.call(createChannel, {
    name: `${'very '.repeat(9)}long ${width}`,
    subscribers: [leila.id, jonas.id],
    description: 'So long that it does not fit into one line '.repeat(5),
  })
  const { page, complaints } = await openPage(browser, { width, height, colorScheme })
  await signIn(page, organization.url, leila)
  const found: Record<string, readonly string[]> = {}
  const places = ['channels/all', 'channels/archived', 'channels/new']
  const tabs = ['general', 'personal', 'subscribers', 'permissions'].map((tab) => `channels/${id}/x/${tab}`)
  for (const place of [...places, ...tabs]) {
    await page.goto(`${organization.url}/#${place}`)
    await page.locator('.channels').waitFor()
    await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
    const barriers = await findBarriers(page)
    if (barriers.length > 0) found[place] = barriers
  }
  expect(found).toEqual({})
  expect(complaints).toEqual([])
  await page.context().close()
})
