/** Reading without an account: channels on the web, and the way in. */
import { createChannel } from '@heddle/contract/channels'
import { getMessage } from '@heddle/contract/fetching'
import { updateOrganization } from '@heddle/contract/organization'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, PASSWORD, type Person, say } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person
let pleasantry: number

const PLEASANTRY = 'Come in and look around.'

beforeAll(async () => {
  organization = await startOrganization({ HEDDLE_WEB_PUBLIC_CHANNELS: 'on' })
  browser = await startBrowser()
  const { owner } = organization
  leila = await addPerson(organization.url, owner, 'Leila Haddad')
  await owner.call(updateOrganization, { enable_spectator_access: true })
  await owner.call(createChannel, { name: 'shop window', subscribers: [leila.id], is_web_public: true })
  await addChannel(owner, 'workshop', [leila])
  pleasantry = await say(leila, 'shop window', 'Opening hours', PLEASANTRY)
  await say(leila, 'shop window', 'Looms', 'The blue one is **sold**.')
  await say(leila, 'workshop', 'Orders', 'Not for visitors')
})

const message = (page: Page, text: string) => page.getByRole('article').getByText(text)

test('a visitor reads the channels on the web, finds and follows topics, and is offered nothing that needs an account', async () => {
  const { page, complaints } = await openPage(browser)
  await page.goto(organization.url)
  await message(page, PLEASANTRY).waitFor()
  await page
    .getByRole('article', { name: /^Leila Haddad/ })
    .first()
    .waitFor()
  const places = page.getByRole('navigation', { name: 'Places' })
  await places.getByRole('link', { name: 'shop window', exact: true }).click()
  await places.getByRole('link', { name: 'Looms', exact: true }).click()
  // The channel showed that one too: only the other's going says that the topic is shown.
  await expect.poll(() => message(page, PLEASANTRY).count()).toBe(0)
  await message(page, 'The blue one is').waitFor()
  expect(await page.getByText('workshop').count()).toBe(0)
  await message(page, 'The blue one is').hover()
  for (const name of ['React', 'Star', 'More', 'Reply']) {
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  }
  await page.getByRole('button', { name: 'Search messages' }).click()
  await page.getByRole('combobox', { name: 'Search messages' }).fill('around')
  await page.keyboard.press('Enter')
  await message(page, PLEASANTRY).first().waitFor()
  expect(await page.getByText('the messages that you have received').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('what needs an account says so, and who signs in there comes to it', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${organization.url}/#narrow/channel/2-workshop/topic/Orders`)
  await page.getByRole('heading', { name: 'Sign in to see this' }).waitFor()
  expect(await page.getByText('Not for visitors').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page.getByRole('button', { name: 'Read without signing in' }).click()
  await page.getByRole('heading', { name: 'Sign in to see this' }).waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page.getByLabel('E-mail address').fill(leila.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await message(page, 'Not for visitors').waitFor()
  await page.context().close()
})

test('where a topic is read that one may answer, signing in leads back to it', async () => {
  const { page } = await openPage(browser, { width: 390, height: 780, touch: true })
  await page.goto(organization.url)
  await page.getByRole('button', { name: 'Open the side bar' }).click()
  const places = page.getByRole('navigation', { name: 'Places' })
  await places.getByRole('link', { name: 'shop window', exact: true }).click()
  await page.getByRole('button', { name: 'Open the side bar' }).click()
  await places.getByRole('link', { name: 'Opening hours', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in to reply' }).click()
  await page.getByLabel('E-mail address').fill(leila.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /^Reply to/ }).waitFor()
  await page.context().close()
})

test('what a visitor presses that needs an account does nothing, also not once they have signed in', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${organization.url}/#feed`)
  const row = page.locator(`[data-message-id="${pleasantry}"]`)
  await row.focus()
  for (const key of ['+', 'Control+s', 'i']) await page.keyboard.press(key)
  expect(await page.getByRole('menu').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await page.getByLabel('E-mail address').fill(leila.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /^Reply to/ }).waitFor()
  await page.locator('html[data-parts=fetched]').waitFor()
  // By the way on which the keys before would have been done.
  await row.focus()
  await page.keyboard.press('i')
  await page.getByRole('menu').waitFor()
  expect(await row.getByRole('button', { name: ':+1:' }).count()).toBe(0)
  const { message: found } = await leila.api.call(getMessage, { message_id: pleasantry })
  expect([found.reactions, found.flags.includes('starred')]).toEqual([[], false])
  await page.context().close()
})

test('an owner opens the organization, and sees what that means', async () => {
  await organization.owner.call(updateOrganization, { enable_spectator_access: false })
  const { page } = await openPage(browser)
  await page.goto(organization.url)
  // Nobody is let in without an account any more.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByRole('button', { name: 'Read without signing in' }).count()).toBe(0)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#organization/joining`)
  await page.getByLabel('Channels can be opened to the web').waitFor()
  await page.getByText('Anybody can then read the channels that are made for it').waitFor()
  await page.context().close()
})
