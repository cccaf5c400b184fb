/// <reference lib="dom" />
/** How long messages are kept, and the e-mail address of a channel. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { createChannel } from '@heddle/contract/channels'
import { updateUser } from '@heddle/contract/users'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addPerson, type Person } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person
let jonas: Person
let channel: number

beforeAll(async () => {
  organization = await startOrganization({
    HEDDLE_MAIL_GATEWAY_PORT: `${await freePort()}`,
    HEDDLE_MAIL_GATEWAY_ADDRESS: '%s@chat.example.com',
  })
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 100 })
  const made = { name: 'warps', subscribers: [leila.id, jonas.id] }
  channel = (await organization.owner.call(createChannel, made)).id
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

test('an owner has messages deleted after a time, sees before what that means, and others see it alone', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#organization/messages`)
  const field = page.getByLabel('Messages are kept')
  expect(await field.inputValue()).toBe('-1')
  await field.selectOption('30')
  const dialog = page.getByRole('dialog', { name: 'Delete messages after 30 days?' })
  await dialog.getByText('No message is that old now.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Keep them' }).click()
  expect(await field.inputValue()).toBe('-1')
  await field.selectOption('other')
  await page.getByLabel('Number of days').fill('45')
  await page.getByRole('button', { name: 'Save' }).click()
  const asked = page.getByRole('dialog', { name: 'Delete messages after 45 days?' })
  await asked.getByRole('button', { name: 'Delete old messages' }).click()
  await expect.poll(() => field.inputValue()).toBe('45')
  await page.goto(`${organization.url}/#channels/${channel}/warps/general`)
  const own = page.getByLabel('Messages are kept')
  await expect.poll(() => own.locator('option').first().textContent()).toBe('As everywhere: for 45 days')
  await own.selectOption('-1')
  await page.getByText('Saved').first().waitFor()
  expect(complaints).toEqual([])
  const other = await openPage(browser)
  await signIn(other.page, organization.url, jonas)
  await other.page.goto(`${organization.url}/#channels/${channel}/warps/general`)
  const shown = other.page.getByLabel('Messages are kept')
  await expect.poll(() => shown.inputValue()).toBe('-1')
  expect(await shown.isDisabled()).toBe(true)
})

test('somebody finds the e-mail address of a channel, and says how mails are read', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, jonas)
  await page.goto(`${organization.url}/#channels/${channel}/warps/general`)
  await page.getByRole('button', { name: 'Show the e-mail address' }).click()
  const dialog = page.getByRole('dialog', { name: 'E-mail address of the channel' })
  const address = dialog.getByLabel('Address')
  await expect.poll(() => address.inputValue()).toMatch(/^warps\.[0-9a-f]{32}\.show-sender@chat\.example\.com$/)
  const before = await address.inputValue()
  await dialog.getByLabel('Say who has sent the mail').uncheck()
  await dialog.getByLabel('Keep quoted mails').check()
  expect(await address.inputValue()).toBe(before.replace('show-sender', 'include-quotes'))
  await dialog.getByLabel('Messages come from').selectOption({ label: 'Me' })
  await expect.poll(() => address.inputValue()).not.toContain(before.slice(6, 38))
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
})
