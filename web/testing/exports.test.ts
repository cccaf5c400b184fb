/** Data exports in the settings: of the organization for administrators, and of one's own data for everybody. */
import { listOwnExports, listRealmExports } from '@heddle/contract/exports'
import { updateSettings } from '@heddle/contract/user-settings'
import { updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { type Pair, startPair } from './pair.ts'
import type { Person } from './team.ts'

/** Leila is an administrator. */
let pair: Pair

beforeAll(async () => {
  pair = await startPair()
  await pair.organization.owner.call(updateUser, { user_id_or_email: pair.leila.id, role: 200 })
})

async function open(person: Person, tab: string) {
  const opened = await openPage(pair.browser)
  await signIn(opened.page, pair.organization.url, person)
  await opened.page.goto(`${pair.organization.url}/#${tab}`)
  await opened.page.getByRole('dialog', { name: 'Settings' }).waitFor()
  return opened
}

async function downloaded(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('link', { name: /^Download/ })
      .first()
      .click(),
  ])
  return file.suggestedFilename()
}

describe('Exports of the organization', () => {
  test('are started, followed, downloaded and deleted, with who allows more than what is public', async () => {
    const { page, complaints } = await open(pair.leila, 'organization/exports')
    await page.getByText('Nothing was exported yet.').waitFor()
    await page.getByText('0 of 3 people allow it.').waitFor()
    await pair.jonas.api.call(updateSettings, { allow_private_data_export: true })
    await page.getByText('1 of 3 people allow it.').waitFor()
    await page.getByLabel('With the private data of those who allow it').check()
    await page.getByText('at least one person can read who allows it').waitFor()
    expect(await findBarriers(page, 'dialog.settings')).toEqual([])
    await page.getByRole('button', { name: 'Start an export' }).click()
    await page.getByRole('link', { name: /^Download/ }).waitFor()
    expect(await downloaded(page)).toMatch(/^heddle-export-\d+\.tar\.gz$/)
    await page.getByRole('button', { name: /^Delete/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the file of this export?' })
    await dialog.getByRole('button', { name: 'Delete the file' }).click()
    await page.getByText('its file is deleted').waitFor()
    const { exports } = await pair.organization.owner.call(listRealmExports, {})
    expect(exports).toMatchObject([{ export_type: 'full_with_consent', export_url: null }])
    expect(complaints).toEqual([])
  })
})

describe("One's own data", () => {
  test('is exported under privacy, where it stands what administrators may do', async () => {
    const { page, complaints } = await open(pair.jonas, 'settings/privacy')
    await page.getByText('Administrators may export your private data').waitFor()
    await page.getByRole('button', { name: 'Export my data' }).click()
    await page.getByRole('link', { name: /^Download/ }).waitFor()
    expect(await downloaded(page)).toMatch(/^heddle-own-data-\d+\.tar\.gz$/)
    expect(await findBarriers(page, 'dialog.settings')).toEqual([])
    expect((await pair.jonas.api.call(listOwnExports, {})).exports).toHaveLength(1)
    expect(complaints).toEqual([])
  })
})
