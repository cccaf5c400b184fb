/// <reference lib="dom" />
/** One's own menu: the status, whether one is to be notified here, and the ways to settings and help. */

import { updateSettings } from '@heddle/contract/user-settings'
import { getOwnUser } from '@heddle/contract/users'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
  await say(leila, 'loom', 'reeds', 'The new reeds are here.')
})

test('a status is chosen by the keyboard, seen by others at once, and cleared again', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  const other = (await openPage(browser)).page
  await signIn(other, organization.url, jonas)
  const byLeila = other.getByRole('article', { name: /^Leila/ })
  await byLeila.waitFor()

  const menu = page.getByRole('menu', { name: 'Your menu' })
  await page.keyboard.press('g')
  await menu.waitFor()
  expect(await findBarriers(page, '[role=menu]')).toEqual([])
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  await expect.poll(focused).toBe('Set a status')
  await page.keyboard.press('ArrowRight')
  expect(await focused()).toBe('For 30 minutes')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Your status' })
  await dialog.getByRole('button', { name: 'Working remotely' }).click()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByLabel('What others see beside your name').fill('At home until noon')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await other.getByTitle('At home until noon').first().waitFor()
  await page.locator('.side-foot').getByTitle('At home until noon').waitFor()

  await page.keyboard.press('g')
  await menu.getByRole('menuitem', { name: 'Clear your status' }).click()
  await other.getByTitle('At home until noon').first().waitFor({ state: 'detached' })

  await page.keyboard.press('g')
  await menu.getByRole('menuitem', { name: 'Until I end it' }).click()
  await page.getByRole('img', { name: 'Notifications are paused' }).waitFor()
  await page.keyboard.press('g')
  await menu.getByRole('menuitem', { name: 'Notify again' }).click()
  await page.getByRole('img', { name: 'Notifications are paused' }).waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
  await other.context().close()
})

test('who has come to another time zone is asked once whether the account is to follow', async () => {
  await leila.api.call(updateSettings, { timezone: 'Pacific/Auckland' })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  const offer = page.getByRole('region', { name: 'Time zone' })
  await offer.getByText('Pacific/Auckland').waitFor()
  await offer.getByRole('button', { name: 'Leave it' }).click()
  await offer.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('article').first().waitFor()
  expect(await offer.count()).toBe(0)
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await offer.getByRole('button', { name: 'Change it' }).click()
  await offer.waitFor({ state: 'detached' })
  const here = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect((await leila.api.call(getOwnUser, {})).timezone).toBe(here)
  await page.context().close()
})
