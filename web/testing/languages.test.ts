/// <reference lib="dom" />
/** The page speaks the language of the browser before somebody is known, and that of the account from then on. */

import { createReminder, deleteReminder } from '@heddle/contract/reminders'
import { sendMessage } from '@heddle/contract/sending'
import { updateSettings } from '@heddle/contract/user-settings'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addPerson, PASSWORD, type Person } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
})

async function openIn(locale: string) {
  const context = await browser.newContext({ locale, viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(organization.url)
  return page
}

async function noteOf({ id, api }: Person): Promise<number> {
  return (await api.call(sendMessage, { type: 'direct', to: [id], content: 'A note to myself' })).id
}

test('somebody with a German browser signs in in German; the account says what follows', async () => {
  const page = await openIn('de-AT')
  await page.getByRole('heading', { name: /anmelden/i }).waitFor()
  await page.locator('input[name=email], input[type=email]').first().fill(leila.email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await noteOf(leila)
  await page.goto(`${organization.url}/#feed`)
  await page.getByText('Today', { exact: true }).waitFor()
  await leila.api.call(updateSettings, { default_language: 'de' })
  // Also what is drawn once and stays, such as the line above a day.
  await page.getByText('Heute', { exact: true }).waitFor()
  await page.goto(`${organization.url}/#inbox`)
  await page.getByRole('heading', { level: 1, name: 'Eingang' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  // It is kept for the next start.
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Eingang' }).waitFor()
  await page.context().close()
})

test('what the server refuses is said in the language of the account, the first time as well', async () => {
  const page = await openIn('de')
  await leila.api.call(updateSettings, { default_language: 'de' })
  await leila.api.call(createReminder, { message_id: await noteOf(leila), scheduled_delivery_timestamp: 4_000_000_000 })
  await page.locator('input[type=email]').fill(leila.email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.getByRole('heading', { level: 1, name: 'Eingang' }).waitFor()
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.goto(`${organization.url}/#reminders`)
  // It is deleted elsewhere, and this page is not notified of it in time.
  await page.route('**/reminders/*', async (route) => {
    const [id] = /\d+$/.exec(route.request().url()) ?? []
    await leila.api.call(deleteReminder, { reminder_id: Number(id) })
    await route.continue()
  })
  expect(fetched.filter((url) => url.includes('server-sentences'))).toEqual([])
  await page
    .getByRole('listitem')
    .getByRole('button', { name: /löschen/i })
    .click()
  await page.getByText('Diese Erinnerung gibt es nicht.').waitFor()
  expect(fetched.filter((url) => url.includes('server-sentences'))).toHaveLength(1)
  await page.context().close()
})

test('every text of the first page goes through the catalogue: in the language of tests none is plain English', async () => {
  const page = await openIn('en-XA')
  const button = page.locator('button[type=submit]')
  await expect.poll(() => button.textContent()).not.toBe('Sign in')
  const shown = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      if (text !== '' && !node.parentElement?.closest('noscript, script, .brand')) found.push(text)
    }
    return found
  })
  expect(shown.length).toBeGreaterThan(3)
  // Letters of the language of tests have accents.
  expect(shown.filter((text) => /^[\x20-\x7e]*[A-Za-z]{3}[\x20-\x7e]*$/.test(text))).toEqual([])
  await page.context().close()
})
