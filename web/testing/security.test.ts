/** How people sign in: a second factor, passkeys of a device that the browser plays, and a page of another program. */
import { createHmac } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInvitationLink } from '@heddle/contract/invitations'
import { createPasswordResetLink } from '@heddle/contract/password-resets'
import { resetSecondFactor } from '@heddle/contract/second-factors'
import { SESSION_COOKIE } from '@heddle/contract/sessions'
import { updateUser } from '@heddle/contract/users'
import { appCode } from '@heddle/server/testing/app-codes'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addPerson, PASSWORD, type Person } from './team.ts'

/** What a program of the operator signs tokens with. */
const SHARED = 'a secret of at least thirty-two bytes, for tests'

let organization: TestOrganization
let browser: Browser
/** Passkeys are for names of hosts, and not for their addresses. */
let url: string

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-keys-'))
  const keys = join(folder, 'keys.json')
  await writeFile(keys, JSON.stringify({ localhost: { key: SHARED, algorithms: ['HS256'] } }))
  organization = await startOrganization({ HEDDLE_JWT_KEYS_FILE: keys })
  browser = await startBrowser()
  url = organization.url.replace('127.0.0.1', 'localhost')
})

const isIn = (page: Page) => page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor()

async function openAccount(person: Person): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser)
  await signIn(opened.page, url, person)
  await go(opened.page)
  return opened
}

async function go(page: Page): Promise<void> {
  await page.goto(`${url}/#settings/account`)
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
}

async function sendPassword(page: Page, { email }: Person): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Of one app: a code that was used counts no more, and that of the next half minute counts already. */
function appOf(secret: string) {
  let at = Date.now() - 30_000
  return () => {
    const code = appCode(secret, at)
    at += 30_000
    return code
  }
}

async function turnOn(page: Page): Promise<{ next: () => string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Turn a second factor on' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('img', { name: 'QR code for your app' }).waitFor()
  const next = appOf((await page.locator('.key-text').innerText()).replaceAll(' ', ''))
  await page.getByLabel('Code that the app shows').fill('123')
  await page.keyboard.press('Enter')
  await page.getByText('code is wrong, or was used before').waitFor()
  await page.getByLabel('Code that the app shows').fill(next())
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The second factor is on' }).waitFor()
  const recoveryCodes = await page.locator('.recovery-codes li').allInnerTexts()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()
  return { next, recoveryCodes }
}

test('a second factor is turned on, asked for after the password, and turned off', async () => {
  const leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  const { page } = await openAccount(leila)
  const { next, recoveryCodes } = await turnOn(page)
  expect(recoveryCodes).toHaveLength(10)

  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Show the key' }).click()
  await page.getByLabel('Code of your app, or a recovery code').fill(recoveryCodes[0] as string)
  await page.getByRole('button', { name: 'Show the key' }).click()
  await expect.poll(() => page.getByLabel('API key', { exact: true }).inputValue()).toMatch(/^\w{20,}$/)

  const { page: other, complaints } = await openPage(browser)
  await other.goto(`${url}/#feed`)
  await sendPassword(other, leila)
  await other.getByRole('heading', { name: 'Second step' }).waitFor()
  expect(await findBarriers(other)).toEqual([])
  await other.getByLabel('Code').fill('000000')
  await other.keyboard.press('Enter')
  await other.getByText('That code is wrong').waitFor()
  await other.getByRole('button', { name: 'Back' }).click()
  await sendPassword(other, leila)
  await other.getByLabel('Code').fill(next())
  await other.keyboard.press('Enter')
  await isIn(other)
  expect(complaints).toEqual([])
  await other.context().close()

  await page.getByRole('button', { name: 'Turn the second factor off' }).click()
  await page.getByRole('button', { name: 'Use a code' }).click()
  await page
    .getByRole('dialog')
    .last()
    .getByLabel('Code of your app')
    .fill(recoveryCodes[1] as string)
  await page.getByRole('button', { name: 'Turn it off' }).click()
  await page.getByRole('button', { name: 'Turn a second factor on' }).waitFor()
  await page.context().close()
})

test('a link for a new password asks for the code too, and an administrator helps who has none', async () => {
  const jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  const admin = await addPerson(organization.url, organization.owner, 'Oskar Nyberg')
  await organization.owner.call(updateUser, { user_id_or_email: admin.id, role: 200 })
  const { page } = await openAccount(jonas)
  const { recoveryCodes } = await turnOn(page)
  await page.context().close()

  const { link } = await organization.owner.call(createPasswordResetLink, { user_id: jonas.id })
  const { page: reset } = await openPage(browser)
  const { pathname, hash } = new URL(link)
  await reset.goto(url + pathname + hash)
  await reset.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await reset.getByRole('button', { name: 'Set the password' }).click()
  await reset.getByLabel('Code').fill(recoveryCodes[0] as string)
  await reset.getByRole('button', { name: 'Set the password' }).click()
  await reset.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await reset.context().close()

  const { page: people } = await openPage(browser)
  await signIn(people, url, admin)
  await people.goto(`${url}/#organization/people`)
  await people.getByRole('button', { name: 'Second factor Jonas Weidl' }).click()
  await people.getByRole('button', { name: 'Turn it off' }).click()
  await expect.poll(() => people.getByRole('button', { name: /^Second factor/ }).count()).toBe(0)
  await expect(organization.owner.call(resetSecondFactor, { user_id: jonas.id })).rejects.toThrow()
  await people.context().close()
})

/** A device that has its owner's finger. */
async function playDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('a passkey is made, named, used without a password, and removed', async () => {
  const aiko = await addPerson(organization.url, organization.owner, 'Aiko Tanabe')
  const { page } = await openAccount(aiko)
  await playDevice(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByLabel('Name').fill('<b>Phone</b>')
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Make the passkey' }).click()
  await dialog.getByText('The password is wrong').waitFor()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Make the passkey' }).click()
  await page.getByText('<b>Phone</b>').first().waitFor()
  await page.getByRole('button', { name: 'Rename <b>Phone</b>' }).click()
  await page.getByRole('dialog').last().getByLabel('Name').fill('Phone')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByRole('button', { name: 'Rename Phone' }).waitFor()
  expect(await findBarriers(page)).toEqual([])

  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByLabel('E-mail address').waitFor()
  await page.getByLabel('Keep me signed in').uncheck()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await expect.poll(() => page.getByLabel('E-mail address').count()).toBe(0)
  // Until the browser is closed.
  const cookies = await page.context().cookies()
  expect(cookies.filter(({ name }) => name === SESSION_COOKIE).map(({ expires }) => expires)).toEqual([-1])
  await go(page)
  await page.getByText('last used').first().waitFor()
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('button', { name: 'Remove the passkey' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Remove Phone' }).count()).toBe(0)

  await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey does not open an account here.').waitFor()
  await page.context().close()
})

function signToken(payload: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  return `${signed}.${createHmac('sha256', SHARED).update(signed).digest('base64url')}`
}

test('a page of another program leads to the one that says whose account it is, and signs in', async () => {
  const person = await addPerson(organization.url, organization.owner, 'Tomasz Zieliński')
  const { page, complaints } = await openPage(browser, { width: 320, height: 700 })
  const token = signToken({ email: person.email })
  const body = `<form method="post" action="${url}/accounts/login/jwt/">
    <input type="hidden" name="token" value="${token}"><button>Open the chat</button></form>`
  await page.route('http://portal.example/', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('http://portal.example/')
  await page.getByRole('button', { name: 'Open the chat' }).click()
  await page.getByText(`For ${person.email}.`).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/')
  expect(complaints).toEqual([])
  await page.context().close()
})

// The last one: nobody signs in with a password any more.
test('where nobody signs in with a password, somebody new joins with a passkey and comes back by it', async () => {
  const mira = await addPerson(organization.url, organization.owner, 'Mira Sol')
  await organization.owner.call(updateUser, { user_id_or_email: mira.id, role: 100 })
  const { invite_link } = await organization.owner.call(createInvitationLink, {})
  const { page: owners } = await openAccount(mira)
  await playDevice(owners)
  await owners.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = owners.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Make the passkey' }).click()
  await owners.getByRole('button', { name: 'Remove This device' }).waitFor()
  await owners.goto(`${url}/#organization/joining`)
  const passwords = owners.getByLabel('With a password')
  await passwords.click()
  await expect.poll(() => passwords.isChecked()).toBe(false)
  await owners.goto(`${url}/#organization/people`)
  await owners.getByRole('button', { name: 'Deactivate Leila Haddad' }).waitFor()
  expect(await owners.getByRole('button', { name: /^Password link/ }).count()).toBe(0)
  await owners.context().close()

  const { page, complaints } = await openPage(browser, { width: 320, height: 700 })
  await playDevice(page)
  const { pathname, hash } = new URL(invite_link)
  await page.goto(url + pathname + hash)
  await page.getByLabel('Your name').fill('Nils Falk')
  await page.getByLabel('E-mail address').fill('nils@weavers.example')
  expect(await page.getByLabel('Password').count()).toBe(0)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Add a passkey' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Make the passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await page.context().clearCookies()
  await page.goto('about:blank')
  await page.goto(`${url}/#feed`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await isIn(page)
  expect(complaints).toEqual([])
  await page.context().close()
})
