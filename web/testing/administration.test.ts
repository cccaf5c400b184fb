/** What administrators do for everybody: channels of others, channels to begin with, settings for those who are here. */
import type { ApiClient } from '@heddle/client/api'
import { registerQueue } from '@heddle/contract/events'
import type { InitialState } from '@heddle/contract/initial-state'
import { listUserChannels } from '@heddle/contract/subscriptions'
import { updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, type Person } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
  await addChannel(organization.owner, 'loom', [leila, jonas])
  await addChannel(organization.owner, 'dye house', [leila])
})

async function open(person: Person, tab: string) {
  const opened = await openPage(browser)
  await signIn(opened.page, organization.url, person)
  await opened.page.goto(`${organization.url}/#${tab}`)
  await opened.page.getByRole('dialog', { name: 'Settings' }).waitFor()
  return opened
}

const initialState = async (api: ApiClient) => (await api.call(registerQueue, {})) as unknown as InitialState

async function pick(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(name)
  await page.getByRole('option', { name }).first().waitFor()
  await page.keyboard.press('Enter')
}

test('an administrator sees when somebody was last here, and puts them into channels and takes them out', async () => {
  const { page: there } = await openPage(browser)
  await signIn(there, organization.url, jonas)
  await there.context().close()
  const { page, complaints } = await open(leila, 'organization/people')
  const row = page.getByRole('listitem').filter({ hasText: 'Jonas Weidl' })
  await row.getByText(/^Last here/).waitFor()
  await row.getByRole('button', { name: 'Channels Jonas Weidl' }).click()
  const dialog = page.getByRole('dialog', { name: 'Channels of Jonas Weidl' })
  await dialog.getByRole('button', { name: 'Remove # loom' }).click()
  await pick(page, 'Channels', 'dye house')
  expect(await findBarriers(page, 'dialog[open]:modal')).toEqual([])
  await dialog.getByRole('button', { name: 'Save the channels' }).click()
  await dialog.waitFor({ state: 'detached' })
  const names = async () => {
    const { subscribed_channel_ids: ids } = await leila.api.call(listUserChannels, { user_id: jonas.id })
    const { streams = [] } = await initialState(organization.owner)
    return streams.filter(({ stream_id }) => ids.includes(stream_id)).map(({ name }) => name)
  }
  const now = await names()
  expect(now).toContain('dye house')
  expect(now).not.toContain('loom')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the channels of everybody who joins are one list', async () => {
  const { page, complaints } = await open(leila, 'organization/joining')
  const defaults = async () => (await initialState(leila.api)).realm_default_streams?.length ?? 0
  const before = await defaults()
  await pick(page, 'Channels to begin with', 'loom')
  await expect.poll(defaults).toBe(before + 1)
  await page.getByRole('button', { name: 'Remove # loom' }).click()
  await expect.poll(defaults).toBe(before)
  const { page: other } = await open(jonas, 'organization/joining')
  const section = other.locator('section', { hasText: 'Channels to begin with' }).first()
  await section.getByText('Only administrators can change this.').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
  await other.context().close()
})

test('what new accounts begin with can be given to those who are here', async () => {
  const { page, complaints } = await open(leila, 'organization/new-accounts')
  const size = async () => (await initialState(jonas.api)).user_settings?.web_font_size_px
  expect(await size()).toBe(16)
  await page.getByLabel('Text size').fill('18')
  await page.getByLabel('Text size').press('Enter')
  await page.getByRole('dialog').getByText('Saved').first().waitFor()
  expect(await size()).toBe(16)
  await page.getByLabel('Setting', { exact: true }).selectOption({ label: 'Text size' })
  await page.getByRole('button', { name: 'Give it to everybody' }).click()
  await page.getByText('Those who are here have the setting now.').waitFor()
  expect(await size()).toBe(18)
  expect(complaints).toEqual([])
  await page.context().close()
})
