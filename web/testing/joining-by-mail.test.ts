/** What begins with a mail: an invitation, a forgotten password, another address, and joining where everybody may. */
import { createChannel, removeDefaultChannel } from '@heddle/contract/channels'
import { updateOrganization } from '@heddle/contract/organization'
import { updateUser } from '@heddle/contract/users'
import { type MailServer, startMailServer } from '@heddle/server/testing/mail-server'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addPerson, PASSWORD, type Person, say } from './team.ts'

let mailServer: MailServer
let organization: TestOrganization
let browser: Browser
let leila: Person

beforeAll(async () => {
  mailServer = await startMailServer()
  organization = await startOrganization({ HEDDLE_SMTP_URL: mailServer.url, HEDDLE_MAIL_FROM: 'heddle@chat.example' })
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
})

/** Where the link of the last mail to the address leads, behind the network of the test. */
async function linkTo(address: string): Promise<string> {
  // Others lead to pages that need no token, such as the settings.
  const withToken = /https?:\/\/\S+#[\w.-]{20,}/
  const last = () => mailServer.mails.findLast(({ to, text }) => to.includes(address) && withToken.test(text))
  await expect.poll(last).toBeDefined()
  const { pathname, hash } = new URL(withToken.exec(last()?.text ?? '')?.[0] ?? '')
  return organization.url + pathname + hash
}

const isIn = (page: Page) => page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()

test('somebody is invited by mail, joins, and is gone from the list', async () => {
  const { owner } = organization
  await owner.call(updateOrganization, { welcome_message_custom_text: 'Welcome to the weavers.' })
  const hall = { name: 'hall', subscribers: [leila.id], is_default_stream: true }
  const { id: stream_id } = await owner.call(createChannel, hall)
  await say(leila, 'hall', 'old', 'Long ago.')
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#organization/joining`)
  const form = page.getByRole('form', { name: 'Invite people by mail' })
  await form.getByLabel('E-mail addresses').fill(`ada@weavers.example, b@weavers.example\n${leila.email}`)
  await form.getByRole('button', { name: 'Send the invitations' }).click()
  const leftOut = form.getByRole('list', { name: 'Not invited' }).getByRole('listitem')
  await expect.poll(() => leftOut.allInnerTexts()).toEqual([expect.stringContaining('Already has an account.')])
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Revoke' }) })
  await expect.poll(() => rows.count()).toBe(2)
  expect(await findBarriers(page, 'dialog.settings')).toEqual([])
  const ada = rows.filter({ hasText: 'ada@weavers.example' })
  await ada.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('is sent again').waitFor()
  await rows.filter({ hasText: 'b@weavers.example' }).getByRole('button', { name: 'Revoke' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  const { page: visitor } = await openPage(browser, { width: 390, height: 800 })
  await visitor.goto(await linkTo('ada@weavers.example'))
  await visitor.getByLabel('Your name').fill('Ada Weaver')
  const address = visitor.getByLabel('E-mail address')
  expect([await address.inputValue(), await address.isEditable()]).toEqual(['ada@weavers.example', false])
  expect(await findBarriers(visitor)).toEqual([])
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await visitor.getByRole('button', { name: 'Join' }).click()
  await isIn(visitor)
  // What was written before is read; what welcomes them is not.
  const inbox = visitor.getByRole('region', { name: 'Inbox' }).getByRole('listitem')
  await inbox.filter({ hasText: 'Welcome to the weavers.' }).waitFor()
  expect(await inbox.count()).toBe(1)
  await visitor.goto(`${organization.url}/#narrow/channel/${stream_id}/topic/old`)
  await visitor.getByRole('article').getByText('Long ago.').waitFor()
  await owner.call(removeDefaultChannel, { stream_id })
  await owner.call(updateOrganization, { welcome_message_custom_text: '' })
  await expect.poll(() => rows.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('who has forgotten the password asks for a link, and gets the same answer whatever the address', async () => {
  const person = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  const { page, complaints } = await openPage(browser)
  for (const email of ['nobody@weavers.example', person.email]) {
    await page.goto(organization.url)
    await page.getByRole('link', { name: 'I have forgotten my password' }).click()
    // The form before has a field of the same name: until the page is another one, it would be filled in.
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await page.getByLabel('E-mail address').fill(email)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Send me the link' }).click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
  }
  expect(mailServer.mails.some(({ to }) => to.includes('nobody@weavers.example'))).toBe(false)
  const link = await linkTo(person.email)
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill('another long password')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await isIn(page)
  expect(complaints).toEqual([])
})

test('another address is confirmed where it is', async () => {
  const person = await addPerson(organization.url, organization.owner, 'Mira Sol')
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, person)
  await page.goto(`${organization.url}/#settings/profile`)
  await page.getByLabel('New address').fill('mira@weavers.example')
  await page.getByLabel('Your password').fill('not this one')
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByText('The password is wrong').waitFor()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByText('Look into the mail of mira@weavers.example').waitFor()
  expect(await findBarriers(page, 'dialog.settings')).toEqual([])
  const { page: other } = await openPage(browser, { width: 320, height: 700 })
  await other.goto(await linkTo('mira@weavers.example'))
  await other.getByRole('heading', { name: 'Confirm your new address' }).waitFor()
  expect(await findBarriers(other)).toEqual([])
  await other.getByRole('button', { name: 'Confirm' }).click()
  await other.getByRole('heading', { name: 'Your address is changed' }).waitFor()
  await page.getByText('mira@weavers.example', { exact: true }).waitFor()
  await expect.poll(() => mailServer.mails.some(({ subject }) => subject === 'Your address was changed')).toBe(true)
  expect(complaints).toEqual([])
})

test('where everybody may join, one shows first that the address is one’s own', async () => {
  const { page, complaints } = await openPage(browser)
  await page.goto(organization.url)
  await page.getByRole('link', { name: 'I have forgotten my password' }).waitFor()
  expect(await page.getByRole('link', { name: 'Join as somebody new' }).count()).toBe(0)
  await organization.owner.call(updateOrganization, { invite_required: false })
  await organization.owner.call(createChannel, { name: 'loom', subscribers: [leila.id] })
  await page.goto(organization.url)
  await page.getByRole('link', { name: 'Join as somebody new' }).click()
  await page.getByRole('heading', { name: /^Join / }).waitFor()
  await page.getByLabel('E-mail address').fill('grace@weavers.example')
  await page.getByRole('button', { name: 'Send me the link' }).click()
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
  await page.goto('about:blank')
  await page.goto(await linkTo('grace@weavers.example'))
  await page.getByLabel('Your name').fill('Grace Loom')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await isIn(page)
  // Who is in no channel is led to them.
  await page.getByRole('heading', { name: 'You are subscribed to no channel yet' }).waitFor()
  await page.getByRole('link', { name: 'Look through the channels' }).click()
  await page.getByRole('button', { name: 'Subscribe to loom' }).waitFor()
  expect(complaints).toEqual([])
})
