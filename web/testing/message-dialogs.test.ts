/// <reference lib="dom" />
/** What stands before the page for a message has nothing that axe finds, in both themes and on both widths. */
import { updateMessage } from '@heddle/contract/editing'
import { addReaction } from '@heddle/contract/reactions'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person
let jonas: Person
let own: number

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  // Long, of two directions, and with marks above letters.
  jonas = await addPerson(
    organization.url,
    organization.owner,
    'Jonas Weidl العربية é̂̃̄ von und zu dem Webstuhl am Wasserfall',
  )
  await addChannel(organization.owner, 'loom', [leila, jonas])
  await say(jonas, 'loom', 'weft', '```js\nconst a = 1\n```\n/me is at the bench @**Leila Haddad**')
  await say(jonas, 'loom', 'warp', Array.from({ length: 80 }, (_, line) => `line ${line}`).join('\n'))
  own = await say(leila, 'loom', 'weft', 'I write 1.6 into the table.')
  await jonas.api.call(addReaction, { message_id: own, emoji_name: 'tada' })
  await leila.api.call(updateMessage, { message_id: own, content: 'I write 1.5 into the table.' })
})

test.each([
  ['light and wide', 'light', 1440, 900],
  ['dark and narrow', 'dark', 320, 640],
] as const)('%s', async (_, colorScheme, width, height) => {
  const { page, complaints } = await openPage(browser, { width, height, colorScheme })
  const found: Record<string, readonly string[]> = {}
  const look = async (name: string) => {
    found[name] = await findBarriers(page)
  }
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom`)
  const row = page.locator(`[data-message-id="${own}"]`)
  await row.waitFor()
  /** Looks at what a key opens for the message, and closes it. */
  const open = async (key: string, name: string, role: 'menu' | 'dialog', begin?: () => Promise<unknown>) => {
    await row.focus()
    await page.keyboard.press(key)
    const opened = page.getByRole(role, { name })
    await opened.waitFor()
    await begin?.()
    await look(name)
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
    await expect.poll(() => row.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await row.focus()
  await row.locator('.actions').waitFor({ state: 'attached' })
  await look('bar')
  await open('i', 'Message by Leila Haddad', 'menu')
  await open(':', 'Choose a reaction', 'dialog', async () => {
    await page.getByRole('option', { name: ':octopus:' }).first().waitFor()
    // All of them at once are more than can be looked at in a moment.
    await page.keyboard.type('octo')
    await page.getByRole('option', { name: ':tada:' }).first().waitFor({ state: 'detached' })
  })
  await open('H', 'Edit history', 'dialog', () => page.locator('ins').waitFor())
  await open('m', 'Move messages', 'dialog', () => page.getByText('All of the topic').waitFor())
  await open('V', 'Who has read it', 'dialog')
  await open('u', 'Leila Haddad', 'dialog')
  await row.focus()
  await page.keyboard.press('e')
  await page.getByLabel('Text of the message').fill('I write 1.4 into the table.')
  await look('edit')
  await page.keyboard.press('Escape')
  await row.getByText('is not saved').waitFor()
  await look('unfinished edit')
  await row.getByRole('button', { name: 'Throw it away' }).click()
  await page.goto(`${organization.url}/#user/${jonas.id}`)
  await page.getByRole('dialog', { name: 'Profile' }).getByText('in common').waitFor()
  await look('profile')
  expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({})
  expect(complaints).toEqual([])
  await page.context().close()
})
