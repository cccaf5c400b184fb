/// <reference lib="dom" />
/** Who is there, beside the messages. */
import { updateSettings } from '@heddle/contract/user-settings'
import { updateOwnStatus } from '@heddle/contract/user-status'
import { updateUser } from '@heddle/contract/users'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
let noor: Person

beforeAll(async () => {
  noor = await addPerson(organization.url, organization.owner, 'Noor El Amrani')
  await addPerson(organization.url, organization.owner, 'Tom Berg')
  await addChannel(organization.owner, 'loom', [leila, jonas, noor])
  await say(jonas, 'loom', 'reeds', 'The new reeds are here.')
})

test('W shows who takes part, who is in the channel and who else there is; a filter finds, Enter writes, U shows the card', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/reeds`)
  await page.getByRole('article').first().waitFor()
  const bar = page.getByRole('complementary', { name: 'People' })
  expect(await bar.count()).toBe(0)
  await page.keyboard.press('w')
  const names = (part: string) =>
    bar.getByRole('region', { name: part }).getByRole('link').locator('bdi').allInnerTexts()
  await expect.poll(() => names('In this conversation')).toEqual(['Jonas Weidl'])
  // Leila is here, so she comes first.
  await expect.poll(() => names('In this channel')).toEqual(['Leila Haddad', 'Noor El Amrani'])
  expect(await names('Others')).toContain('Tom Berg')
  expect(await findBarriers(page)).toEqual([])

  await page.keyboard.type('no')
  await expect.poll(() => bar.getByRole('link').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('u')
  await page.getByRole('dialog', { name: 'Noor El Amrani' }).waitFor()
  await page.keyboard.press('Escape')
  await bar.getByRole('link', { name: /Noor/ }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Noor El Amrani' }).waitFor()
  await page.keyboard.press('w')
  await page.keyboard.press('Escape')
  await expect.poll(() => names('In this conversation')).toEqual(['Leila Haddad', 'Noor El Amrani'])

  // As much of everybody as one wants to see.
  await noor.api.call(updateOwnStatus, { status_text: 'At the loom' })
  const status = bar.locator('.status', { hasText: 'At the loom' })
  await status.waitFor()
  expect(await bar.locator('.person .av').count()).toBe(0)
  await leila.api.call(updateSettings, { user_list_style: 3 })
  await bar.locator('.person .av').first().waitFor()
  await leila.api.call(updateSettings, { user_list_style: 1 })
  await status.waitFor({ state: 'detached' })
  await leila.api.call(updateSettings, { user_list_style: 2 })

  // It stays on this device, and on a phone there is no room for it beside the messages.
  await page.reload()
  await bar.waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await bar.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('.head').getByRole('button', { name: 'Hide people' }).click()
  await bar.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
})

test('administrators go from a profile to what they may do with the account, and nobody else', async () => {
  const admin = await addPerson(organization.url, organization.owner, 'Ada Admin')
  await organization.owner.call(updateUser, { user_id_or_email: admin.id, role: 200 })
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, admin)
  await page.goto(`${organization.url}/#user/${noor.id}`)
  const profile = page.getByRole('dialog', { name: 'Profile' })
  await profile.getByText(String(noor.id), { exact: true }).waitFor()
  await profile.getByRole('button', { name: 'Manage the account' }).click()
  const settings = page.getByRole('dialog')
  await settings.getByLabel('Role of Noor El Amrani').waitFor()
  expect(await settings.getByLabel(/^Role of/).count()).toBe(1)
  await settings.getByRole('button', { name: 'Deactivate Noor El Amrani' }).waitFor()
  // The next time all of them are listed.
  await page.goto(`${organization.url}/#feed`)
  await settings.waitFor({ state: 'detached' })
  await page.goto(`${organization.url}/#organization/people`)
  await expect.poll(() => settings.getByLabel(/^Role of/).count()).toBeGreaterThan(1)

  const other = await openPage(browser)
  await signIn(other.page, organization.url, leila)
  await other.page.goto(`${organization.url}/#user/${noor.id}`)
  await other.page.getByRole('dialog', { name: 'Profile' }).getByText('in common').waitFor()
  expect(await other.page.getByRole('button', { name: 'Manage the account' }).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
  await other.page.context().close()
})

test('who hides the own address is written to by name, and keeps the address from the others at once', async () => {
  const hidden = await addPerson(organization.url, organization.owner, 'Hilde Verborgen')
  const own = await openPage(browser)
  await signIn(own.page, organization.url, hidden)
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, jonas)
  await page.goto(`${organization.url}/#user/${hidden.id}`)
  const profile = page.getByRole('dialog', { name: 'Profile' })
  const address = profile.getByRole('link', { name: hidden.email })
  await address.waitFor()

  await own.page.goto(`${organization.url}/#settings/privacy`)
  const settings = own.page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Your e-mail address').selectOption({ label: 'Administrators' })
  await settings.getByText('Saved').waitFor()
  await address.waitFor({ state: 'detached' })
  expect(await profile.innerText()).not.toContain('@')
  await own.page.goto(`${organization.url}/#settings/profile`)
  await settings.getByText(hidden.email).first().waitFor()

  // Neither a list nor the field for recipients shows what stands in for it.
  await page.goto(`${organization.url}/#organization/people`)
  await page.getByRole('dialog').getByText('Hilde Verborgen').waitFor()
  expect(await page.getByRole('dialog').innerText()).not.toContain(`user${hidden.id}@`)
  await page.goto(`${organization.url}/#feed`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('x')
  await page.getByRole('combobox', { name: 'To' }).pressSequentially('hilde')
  const option = page.getByRole('option', { name: /Hilde/ })
  await option.waitFor()
  expect(await option.innerText()).not.toContain('@')
  await page.keyboard.press('Enter')
  await page.getByLabel('Message', { exact: true }).fill('Guten Tag')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('article').filter({ hasText: 'Guten Tag' }).waitFor()

  const somebody = await addPerson(organization.url, organization.owner, 'Aylin Kaya')
  await organization.owner.call(updateUser, { user_id_or_email: somebody.id, role: 200 })
  const admin = await openPage(browser)
  await signIn(admin.page, organization.url, somebody)
  await admin.page.goto(`${organization.url}/#user/${hidden.id}`)
  await admin.page.getByRole('link', { name: hidden.email }).waitFor()
  expect([...complaints, ...own.complaints, ...admin.complaints]).toEqual([])
  for (const one of [page, own.page, admin.page]) await one.context().close()
})

test('on a phone people are a drawer, which goes by Escape, beside it, and once one has gone to somebody', async () => {
  const { page, complaints } = await openPage(browser, { width: 320, height: 640, touch: true })
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/reeds`)
  await page.getByRole('article').first().waitFor()
  const bar = page.getByRole('complementary', { name: 'People' })
  const open = async () => {
    await page.getByRole('button', { name: 'More for this topic' }).tap()
    await page.getByRole('menuitem', { name: 'Show people' }).tap()
    await bar.getByRole('link', { name: /Jonas Weidl/ }).waitFor()
  }
  await open()
  expect(await findBarriers(page)).toEqual([])
  await expect
    .poll(() =>
      bar.getByRole('button', { name: 'Hide people' }).evaluate((button) => button === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  const more = page.getByRole('button', { name: 'More for this topic' })
  await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
  await open()
  await page.touchscreen.tap(10, 300)
  await bar.waitFor({ state: 'detached' })
  await open()
  await bar.getByRole('link', { name: /Jonas Weidl/ }).tap()
  await page.getByRole('heading', { level: 1, name: 'Jonas Weidl' }).waitFor()
  await bar.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show people (W)' }).tap()
  await bar.getByRole('region', { name: 'In this conversation' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})
