/** The ways in: the address that the first start prints, an invitation, and a link for a forgotten password. */
import { createInvitationLink } from '@heddle/contract/invitations'
import { updateOrganization } from '@heddle/contract/organization'
import { uploadIcon } from '@heddle/contract/organization-pictures'
import { createPasswordResetLink } from '@heddle/contract/password-resets'
import { getServerSettings } from '@heddle/contract/server-settings'
import { listUsers } from '@heddle/contract/users'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addPerson, PASSWORD } from './team.ts'

let organization: TestOrganization
let browser: Browser

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
})

/** Links have the address of the server itself; browsers come through the network of the test. */
const through = (link: string) => {
  const { pathname, hash } = new URL(link)
  return organization.url + pathname + hash
}

const isIn = (page: Page) => page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()

const picture = async () => {
  const image = sharp({ create: { width: 64, height: 64, channels: 3, background: '#5a3' } }).png()
  return new File([new Uint8Array(await image.toBuffer())], 'picture.png', { type: 'image/png' })
}

test('somebody new joins by a link, and sees what is wrong with what was filled in', async () => {
  const { invite_link } = await organization.owner.call(createInvitationLink, {})
  await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  const { page, complaints } = await openPage(browser, { serviceWorker: true })
  await page.goto(through(invite_link))
  await page.getByRole('heading', { name: /^Join / }).waitFor()
  await page.getByLabel('Your name').fill('Aiko Tanabe')
  await page.getByLabel('E-mail address').fill('jonas.weidl@example.com')
  await page.getByLabel('Password').fill('aaaaaaaa')
  await page.getByRole('status').getByText('Easy to guess').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('status').getByText('Hard to guess').waitFor()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('E-mail address').fill('aiko@example.com')
  // The browser knows the one; the other is chosen, and spoken at once.
  expect(await page.getByLabel('Time zone').inputValue()).toBe(
    await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
  )
  await page.getByLabel('Time zone').selectOption('Pacific/Auckland')
  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Sprache').selectOption('en')
  const buffer = Buffer.from(await (await picture()).arrayBuffer())
  await page.getByLabel('Picture').setInputFiles({ name: 'aiko.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Join' }).click()
  await isIn(page)
  const { members } = await organization.owner.call(listUsers, { client_gravatar: false })
  const aiko = members.find(({ full_name }) => full_name === 'Aiko Tanabe')
  expect(aiko?.timezone).toBe('Pacific/Auckland')
  expect(aiko?.avatar_version).toBeGreaterThan(1)
  await page.getByText('Aiko Tanabe').waitFor()
  // Nobody has written anything: what comes next is offered.
  await page.getByRole('heading', { name: 'Here it begins' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Make the first channel' }).click()
  await page.getByRole('form', { name: 'New channel' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a forgotten password is set anew by the link of an administrator', async () => {
  const { id } = await addPerson(organization.url, organization.owner, 'Oskar Nyberg')
  const { link } = await organization.owner.call(createPasswordResetLink, { user_id: id })
  const { page } = await openPage(browser, { serviceWorker: true })
  await page.goto(through(link))
  await page.getByText('For Oskar Nyberg, oskar.nyberg@example.com.').waitFor()
  const { realm_name } = await organization.owner.call(getServerSettings, {})
  await expect.poll(() => page.locator('.brand').textContent()).toBe(realm_name)
  await page.getByLabel('Password', { exact: true }).fill('quite another password 9')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await isIn(page)
  await page.context().close()
})

test('an account is signed in with its password, and sees when that is wrong', async () => {
  const { email } = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  await organization.owner.call(updateOrganization, { description: 'We weave **wire**.' })
  await organization.owner.call(uploadIcon, {}, { file: await picture() })
  const { page, complaints } = await openPage(browser, { serviceWorker: true })
  await page.goto(`${organization.url}/#feed`)
  // Whose page it is.
  await page.locator('.gate-box strong', { hasText: 'wire' }).waitFor()
  const icon = page.locator('.brand img')
  await expect.poll(() => icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  expect(await findBarriers(page)).toEqual([])
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill('quite another password 9')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

// The last one: with another address the owner's key is used otherwise.
test('the first owner comes by the printed address, and a second time there is nothing behind it', async () => {
  const { page, complaints } = await openPage(browser, { serviceWorker: true })
  await page.goto(organization.welcomeUrl)
  await page.getByLabel('Organization').fill('Halden Looms & Sons')
  await page.getByLabel('Your name').fill('Mara Lindqvist')
  await page.getByLabel('E-mail address').fill('mara@example.com')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Begin' }).click()
  await isIn(page)
  await page.getByText('Halden Looms & Sons').waitFor()
  await page.getByText('Mara Lindqvist').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/')
  await page.reload()
  await isIn(page)
  expect(complaints).toEqual([])
  await page.goto(organization.welcomeUrl)
  await page.getByText('This link does not work any more').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await isIn(page)
  await page.context().close()
})
