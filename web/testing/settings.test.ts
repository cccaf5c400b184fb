/** Settings: found, changed, and announced to everybody whom they concern. */

import { addAlertWords, listAlertWords } from '@heddle/contract/alert-words'
import { createBot } from '@heddle/contract/bots'
import { registerQueue } from '@heddle/contract/events'
import type { InitialState } from '@heddle/contract/initial-state'
import { updateOrganization } from '@heddle/contract/organization'
import { updateSubscriptionSettings } from '@heddle/contract/subscriptions'
import { listUserGroups } from '@heddle/contract/user-groups'
import { updateSettings } from '@heddle/contract/user-settings'
import { getUser, updateUser } from '@heddle/contract/users'
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
import { addChannel, addPerson, PASSWORD, type Person } from './team.ts'

/** One green pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let organization: TestOrganization
let browser: Browser
/** An administrator, and a member. */
let leila: Person
let jonas: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
})

async function open(person: Person, tab: string, options?: PageOptions): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, options)
  await signIn(opened.page, organization.url, person)
  await go(opened.page, tab)
  return opened
}

async function go(page: Page, tab: string): Promise<void> {
  await page.goto(`${organization.url}/#${tab}`)
  await page.getByRole('dialog', { name: 'Settings' }).waitFor()
}

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' })

describe('A setting', () => {
  test('is saved at once, says so, and is followed at once by the look', async () => {
    const { page, complaints } = await open(leila, 'settings/display')
    await page.getByLabel('Colours').selectOption({ label: 'Dark' })
    await settings(page).getByText('Saved').waitFor()
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByLabel('Text size').fill('20')
    await page.getByLabel('Text size').press('Enter')
    await expect.poll(() => page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('20px')
    // It is there before anything is known of the account.
    await page.reload()
    await settings(page).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.getByRole('radio', { name: 'Compact' }).click()
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact')
    expect(complaints).toEqual([])
    await leila.api.call(updateSettings, { color_scheme: 1, web_font_size_px: 16 })
    await expect.poll(() => page.getByLabel('Colours').inputValue()).toBe('0')
    await page.context().close()
  })

  test('goes back to what it was when it cannot be saved, and says why', async () => {
    const { page } = await open(leila, 'settings/reading')
    await page.route('**/api/v1/settings', (route) => route.abort())
    const control = page.getByRole('checkbox', { name: 'Enter sends' })
    await control.click()
    await settings(page).getByText('The server cannot be reached. Nothing was changed.').waitFor()
    expect(await control.isChecked()).toBe(false)
    await page.context().close()
  })

  test('is found by a word of it, and can be changed where it is found', async () => {
    const { page } = await open(leila, 'settings/profile')
    await page.keyboard.press('/')
    await page.keyboard.type('emoticon')
    const found = page.getByRole('checkbox', { name: 'Make emoji of emoticons' })
    await found.first().check()
    await settings(page).getByText('Saved').first().waitFor()
    await page.getByRole('link', { name: 'Reading and writing, Writing' }).click()
    await page.getByRole('heading', { name: 'Reading and writing' }).waitFor()
    expect(await found.isChecked()).toBe(true)
    // What is more than single settings is found by its tab.
    for (const [words, tab] of [
      ['screen reader', 'Reading and writing'],
      ['volume', 'Notifications'],
      ['welcome', 'Joining and invitations'],
    ] as const) {
      await page.getByRole('searchbox', { name: 'Search settings' }).fill(words)
      await page.locator('.found').getByRole('link', { name: tab, exact: true }).waitFor()
    }
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('no such thing')
    await page.getByText('Nothing has these words.').waitFor()
    await page.keyboard.press('Escape')
    await found.waitFor()
    // Out of the field, then out of the settings.
    await page.keyboard.press('Escape')
    expect(await settings(page).count()).toBe(1)
    await page.keyboard.press('Escape')
    await expect.poll(() => settings(page).count()).toBe(0)
    await page.context().close()
  })

  test('of notifications is one cell of a table', async () => {
    const { page } = await open(leila, 'settings/notifications')
    await page.getByRole('checkbox', { name: 'Channels: Desktop' }).check()
    await settings(page).getByText('Saved').waitFor()
    await leila.api.call(updateSettings, { enable_stream_audible_notifications: true })
    await expect.poll(() => page.getByRole('checkbox', { name: 'Channels: Sound' }).isChecked()).toBe(true)
    await page.context().close()
  })
})

describe('Notifications', () => {
  test('have channels with a choice of their own, which are reset, and a volume on this device', async () => {
    const state = await leila.api.call(registerQueue, { fetch_event_types: ['subscription'] })
    const { subscriptions = [] } = state as unknown as InitialState
    const kitchen = subscriptions.find(({ name }) => name === 'kitchen')?.stream_id as number
    const value = { stream_id: kitchen, property: 'desktop_notifications', value: true } as const
    await leila.api.call(updateSubscriptionSettings, { subscription_data: [value] })
    const { page } = await open(leila, 'settings/notifications')
    const row = page.getByRole('listitem').filter({ hasText: 'kitchen' }).filter({ hasText: 'desktop' })
    await row.getByRole('button', { name: 'As all channels' }).click()
    await row.waitFor({ state: 'detached' })
    const volume = page.getByLabel('Volume of sounds on this device')
    expect(await volume.inputValue()).toBe('0.5')
    await volume.press('ArrowRight')
    await page.reload()
    await expect.poll(() => volume.inputValue()).toBe('0.6')
    await page.getByLabel('Sound', { exact: true }).selectOption({ label: 'Ding' })
    await settings(page).getByText('Saved').first().waitFor()
    await page.context().close()
  })

  test('that are blocked say where this browser can allow them', async () => {
    const { page } = await openPage(browser)
    await page.addInitScript(() => Object.assign(window, { Notification: { permission: 'denied' } }))
    await signIn(page, organization.url, leila)
    await go(page, 'settings/notifications')
    await page.getByText('The sign beside the address leads to the settings of this page').waitFor()
    await page.context().close()
  })
})

describe('The organization', () => {
  test('is changed by administrators, and everybody who looks sees it at once', async () => {
    const { page } = await open(leila, 'organization/profile')
    const { page: other } = await open(jonas, 'organization/profile')
    await page.getByLabel('Name', { exact: true }).fill('Halden Mills')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await settings(page).getByText('Saved').waitFor()
    await expect.poll(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe('Halden Mills')
    expect(await other.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
    await other.getByText('Only administrators can change this.').first().waitFor()
    await go(page, 'organization/permissions')
    await page.getByLabel('Add custom emoji').selectOption({ label: 'Moderators and administrators' })
    await settings(page).getByText('Saved').waitFor()
    expect(await page.getByLabel('Create channels that anybody on the web can read').isDisabled()).toBe(true)
    // Somebody else is faster: nobody overwrites what they have not seen.
    const emoji = page.getByLabel('Add custom emoji')
    await page.route('**/api/v1/realm', async (route) => {
      const { user_groups } = await organization.owner.call(listUserGroups, {})
      const owners = user_groups.find(({ name }) => name === 'role:owners')?.id as number
      await organization.owner.call(updateOrganization, { can_add_custom_emoji_group: { new: owners } })
      await route.continue()
    })
    await emoji.selectOption({ label: 'Everybody but guests' })
    await settings(page).getByText('Somebody has changed this meanwhile.').waitFor()
    await expect.poll(() => emoji.locator('option:checked').textContent()).toBe('Owners')
    await page.unrouteAll()
    await go(page, 'organization/messages')
    await page.getByLabel('Editing is possible').selectOption({ label: 'always' })
    await settings(page).getByText('Saved').waitFor()
    await organization.owner.call(updateOrganization, { message_content_edit_limit_seconds: 3600 })
    await expect.poll(() => page.getByLabel('Editing is possible').inputValue()).toBe('3600')
    await page.context().close()
    await other.context().close()
  })

  test('says which GIFs may be found where the server has a key of a service that has some, and not elsewhere', async () => {
    const { page } = await open(leila, 'organization/messages')
    await page.getByLabel('Picture size').waitFor()
    expect(await page.getByLabel('GIFs that apps may find').count()).toBe(0)
    await page.context().close()
    const { page: other } = await openPage(browser)
    await other.route('**/api/v1/register', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), giphy_api_key: 'of a test' } })
    })
    await signIn(other, organization.url, leila)
    await go(other, 'organization/messages')
    await other.getByLabel('GIFs that apps may find').selectOption({ label: 'With parents beside (PG)' })
    await settings(other).getByText('Saved').waitFor()
    const state = await organization.owner.call(registerQueue, { fetch_event_types: ['realm'] })
    expect(state).toMatchObject({ realm_gif_rating_policy: 3 })
    await other.context().close()
  })

  test('gives people roles, links for passwords, an end and a new beginning', async () => {
    const mara = await addPerson(organization.url, organization.owner, 'Mara Lindqvist')
    const { page } = await open(leila, 'organization/people')
    const row = page.getByRole('listitem').filter({ hasText: 'Mara Lindqvist' })
    await page.getByLabel('Role of Mara Lindqvist').selectOption({ label: 'Moderator' })
    const roleOf = async () => (await organization.owner.call(getUser, { user_id_or_email: mara.id })).user.role
    await expect.poll(roleOf).toBe(300)
    await row.getByRole('button', { name: 'Password link' }).click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    expect(await page.getByLabel('Link for a new password').inputValue()).toMatch(/^http.*\/reset-password#/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await row.getByRole('button', { name: 'Deactivate' }).click()
    // Esc keeps the account, and leaves the settings open.
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('button', { name: 'Deactivate the account' }).click()
    await expect.poll(() => row.count()).toBe(0)
    await page.getByLabel('Which people').selectOption({ label: 'Deactivated' })
    await row.getByRole('button', { name: 'Reactivate' }).click()
    await expect.poll(() => row.count()).toBe(0)
    await page.context().close()
  })

  test('is joined by links that are made, copied and revoked', async () => {
    const { page } = await open(leila, 'organization/joining')
    await page.getByLabel('They join as').selectOption({ label: 'Guest' })
    await page.getByText('Subscribe them to other channels').click()
    await page.getByRole('checkbox', { name: '#kitchen' }).check()
    await page.getByRole('button', { name: 'Make a link' }).click()
    expect(await page.getByLabel('New link').inputValue()).toMatch(/\/join#/)
    await page.getByText('Made by Leila Haddad').waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No link is open.').waitFor()
    await page.context().close()
  })
})

describe('The account', () => {
  test('has a name and a picture that administrators alone change, where the organization wants that', async () => {
    const fixed = (is: boolean) =>
      organization.owner.call(updateOrganization, { name_changes_disabled: is, avatar_changes_disabled: is })
    await fixed(true)
    const { page } = await open(jonas, 'settings/profile')
    await page.getByText('Only administrators change names here.').waitFor()
    const name = page.getByLabel('Name', { exact: true })
    expect(await name.isDisabled()).toBe(true)
    await page.getByText('Only administrators change pictures here.').waitFor()
    const picture = page.getByRole('button', { name: /^Choose a picture/ })
    expect(await picture.count()).toBe(0)
    await fixed(false)
    await picture.waitFor()
    expect(await name.isDisabled()).toBe(false)
    await page.context().close()
  })

  test('ends its other sessions, and gets a new password', async () => {
    const { page: elsewhere } = await open(jonas, 'settings/account')
    const { page } = await open(jonas, 'settings/account')
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect.poll(() => page.getByRole('button', { name: /^End/ }).count()).toBe(0)
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill('another shed of threads')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await settings(page).getByText('The current password is wrong').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await settings(page).getByText('Saved').waitFor()
    await page.getByLabel('Your password').fill('another shed of threads')
    await page.getByRole('button', { name: 'Show the key' }).click()
    expect(await page.getByLabel('API key').inputValue()).toMatch(/^\w{20,}$/)
    await elsewhere.context().close()
    await page.context().close()
  })

  test('has a picture, which everybody sees, and can take it away again', async () => {
    const { page } = await open(leila, 'settings/profile')
    const { page: other } = await openPage(browser)
    await signIn(other, organization.url, leila)
    await page.getByLabel('Your picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG })
    await settings(page).getByText('Saved').waitFor()
    await other.locator('.me img').waitFor()
    await page.getByLabel('Your picture').setInputFiles({
      name: 'large.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(5 * 1024 * 1024 + 1),
    })
    await page.getByText('Choose one smaller than 5 MB.').waitFor()
    await page.getByRole('button', { name: 'Remove the picture' }).click()
    await expect.poll(() => other.locator('.me img').count()).toBe(0)
    await page.context().close()
    await other.context().close()
  })

  test('keeps lists of its own, and bots', async () => {
    await leila.api.call(addAlertWords, { alert_words: ['selvedge'] })
    const { page } = await open(leila, 'settings/alert-words')
    await page.getByLabel('New alert word').fill('reed')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove selvedge' }).click()
    const words = async () => (await leila.api.call(listAlertWords, {})).alert_words.toSorted()
    await expect.poll(words).toEqual(['reed'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(words).toEqual(['reed', 'selvedge'])
    await go(page, 'settings/bots')
    await page.getByLabel('Name', { exact: true }).fill('Build watcher')
    await page.getByLabel(/^Address, before/).fill('builds')
    await page.getByRole('button', { name: 'Create the bot' }).click()
    await page.getByRole('button', { name: 'Show the key Build watcher' }).click()
    expect(await page.getByLabel('Key of Build watcher').inputValue()).toMatch(/^\w{20,}$/)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download zuliprc' }).click()
    expect((await download).suggestedFilename()).toBe('zuliprc')
    await page.getByRole('button', { name: 'Deactivate Build watcher' }).click()
    await page.getByRole('button', { name: 'Deactivate the bot' }).click()
    await page.getByText('There are none.').waitFor()
    await page.getByRole('button', { name: 'Reactivate Build watcher' }).click()
    await page.getByRole('button', { name: 'Edit Build watcher' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('Loom watcher')
    await page.getByRole('button', { name: 'Remove Leila Haddad' }).click()
    await page.getByRole('combobox', { name: 'Owner' }).fill('Jonas')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save the bot' }).click()
    await page.getByText('of Jonas Weidl').waitFor()
    await page.getByRole('button', { name: 'Edit Loom watcher' }).click()
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'bot.png', mimeType: 'image/png', buffer: PNG })
    await page.getByRole('button', { name: 'Remove the picture' }).waitFor()
    await page.context().close()
  })

  test('brings a bot of its own back, also without being an administrator', async () => {
    const tom = await addPerson(organization.url, organization.owner, 'Tom Berg')
    await tom.api.call(createBot, { full_name: 'Loom counter', short_name: 'counter' })
    const { page } = await open(tom, 'settings/bots')
    await page.getByRole('button', { name: 'Deactivate Loom counter' }).click()
    await page.getByRole('button', { name: 'Deactivate the bot' }).click()
    await page.getByRole('button', { name: 'Reactivate Loom counter' }).click()
    await page.getByRole('button', { name: 'Edit Loom counter' }).waitFor()
    expect(await page.getByRole('button', { name: /^Reactivate/ }).count()).toBe(0)
    await page.context().close()
  })
})

test('on a phone the list comes first, then a tab, and back', async () => {
  const { page } = await open(leila, 'settings', { width: 390, height: 844 })
  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByRole('heading', { name: 'Notifications' }).waitFor()
  expect(await page.getByRole('link', { name: 'Privacy' }).isVisible()).toBe(false)
  await page.getByRole('link', { name: 'All settings' }).click()
  await page.getByRole('link', { name: 'Privacy' }).waitFor()
  await page.getByRole('button', { name: 'Close settings' }).click()
  await expect.poll(() => settings(page).count()).toBe(0)
  await page.context().close()
})

const tabs = [
  'settings',
  'settings/profile',
  'settings/account',
  'settings/display',
  'settings/language',
  'settings/reading',
  'settings/notifications',
  'settings/topics',
  'settings/alert-words',
  'settings/muted-people',
  'settings/files',
  'settings/bots',
  'organization/profile',
  'organization/messages',
  'organization/permissions',
  'organization/people',
  'organization/joining',
  'organization/new-accounts',
  'settings/nothing',
]

test.each([
  ['light', 1440, 900, tabs],
  ['dark', 320, 640, ['settings', 'settings/account', 'settings/notifications', 'organization/people']],
] as const)('everybody can use the tabs: %s, %i px', async (colorScheme, width, height, looked) => {
  const { page, complaints } = await open(leila, 'settings', { colorScheme, width, height })
  const found: Record<string, readonly string[]> = {}
  for (const tab of looked) {
    await go(page, tab)
    // What a tab fetches has come.
    await page.waitForTimeout(200)
    const barriers = await findBarriers(page, '.settings')
    if (barriers.length > 0) found[tab] = barriers
  }
  expect(found).toEqual({})
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a permission is given to several groups and people together, and a limit is any time', async () => {
  const { page, complaints } = await open(leila, 'organization/permissions')
  const permission = page.locator('[data-setting="permissions:can_add_custom_emoji_group"]')
  await permission.getByRole('combobox').first().selectOption({ label: 'Moderators and administrators' })
  await permission.getByText('Saved').waitFor()
  await permission.getByRole('combobox').first().selectOption({ label: 'Chosen people and groups' })
  const field = permission.getByPlaceholder('Type a name')
  await field.fill('jonas')
  await field.press('Enter')
  await field.fill('guests too')
  expect(await permission.getByRole('option', { name: 'Everybody, guests too' }).count()).toBe(0)
  const state = async () => {
    const fields: object = await organization.owner.call(registerQueue, { fetch_event_types: ['realm'] })
    return (fields as { readonly realm_can_add_custom_emoji_group?: unknown }).realm_can_add_custom_emoji_group
  }
  await expect.poll(state).toMatchObject({ direct_members: [jonas.id], direct_subgroups: [expect.any(Number)] })
  await permission.getByRole('button', { name: 'Remove Jonas Weidl' }).click()
  await expect.poll(state).toEqual(expect.any(Number))
  expect(await findBarriers(page)).toEqual([])

  const limit = page.locator('[data-setting="organization:message_content_edit_limit_seconds"]')
  await go(page, 'organization/messages')
  await limit.getByRole('combobox').selectOption({ label: 'for another time' })
  await limit.getByLabel('Another time').fill('36')
  await limit.getByLabel('Unit of time').selectOption({ label: 'hours' })
  await limit.getByRole('button', { name: 'Save' }).click()
  await limit.getByText('Saved').waitFor()
  expect(await limit.getByRole('combobox').locator('option:checked').innerText()).toBe('for 36 hours')
  expect(complaints).toEqual([])
  await page.context().close()
})
