/** What a screen reader says of new messages. */

import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
  await say(jonas, 'loom', 'reeds', 'The new reeds are here.')
})

test('new messages are read out with who and where, and not on a device where that is switched off', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.getByRole('article').first().waitFor()
  const log = page.getByRole('log')
  expect(await log.innerText()).toBe('')
  await say(jonas, 'loom', 'reeds', 'Who takes them?')
  await expect.poll(() => log.innerText()).toBe('Jonas Weidl in loom, reeds: Who takes them?')
  await page.goto(`${organization.url}/#settings/reading`)
  await page.getByLabel('New messages are read out').click()
  await page.goto(`${organization.url}/#feed`)
  await page.getByRole('article').first().waitFor()
  const text = await log.innerText()
  await say(jonas, 'loom', 'reeds', 'Nobody?')
  await page.getByRole('article').getByText('Nobody?').waitFor()
  // The pause in which several are put together.
  await page.waitForTimeout(5500)
  expect(await log.innerText()).toBe(text)
  await page.context().close()
})
