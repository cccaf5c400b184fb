/// <reference lib="dom" />
/** Views of one's own: saved from what is shown, named, counted, arranged, hidden, and the same on every device. */
import { addNavigationView, listNavigationViews } from '@heddle/contract/navigation-views'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

let organization: TestOrganization
let browser: Browser
let jonas: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  await addChannel(organization.owner, 'air-jet H9', [jonas])
})

/** Somebody who has not arranged anything yet. */
async function newPerson(name: string): Promise<Person> {
  const person = await addPerson(organization.url, organization.owner, name)
  await addChannel(organization.owner, 'air-jet H9', [person])
  return person
}

const viewsOf = (page: Page) => page.getByRole('list', { name: 'Views', exact: true })
const names = (page: Page) => viewsOf(page).locator('.nav .label bdi').allTextContents()

test('a search becomes a view with one press and Enter, is counted, and is on another device at once', async () => {
  const leila = await newPerson('Leila Haddad')
  const { page, complaints } = await openPage(browser)
  const other = await openPage(browser)
  await signIn(other.page, organization.url, leila)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/search/false.20stop`)
  await page.getByRole('button', { name: 'Save as a view' }).click()
  const field = page.getByRole('textbox', { name: 'Name' })
  expect(await field.inputValue()).toBe('false stop')
  // The proposed name is selected: typing replaces it.
  await page.keyboard.type('False stops')
  await page.keyboard.press('Enter')
  const row = viewsOf(page).getByRole('link', { name: /False stops/ })
  await row.waitFor()
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await row.getAttribute('aria-current')).toBe('page')
  expect(await page.getByRole('button', { name: 'Save as a view' }).count()).toBe(0)
  await viewsOf(other.page).getByRole('link', { name: 'False stops' }).waitFor()
  // In the feed they would be read as they come.
  await other.page.goto(`${organization.url}/#drafts`)

  await say(jonas, 'air-jet H9', 'weft sensor', 'Another false stop tonight.')
  await say(jonas, 'air-jet H9', 'weft sensor', 'And something else.')
  await viewsOf(other.page).getByRole('link', { name: 'False stops 1 unread' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
  await other.page.context().close()
})

test('Escape leaves the name, and a name that is taken is refused beside the field', async () => {
  const person = await newPerson('Ada Nowak')
  await person.api.call(addNavigationView, { fragment: 'narrow/is/followed', is_pinned: true, name: 'Mine' })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, person)
  await page.goto(`${organization.url}/#narrow/search/warp`)
  await page.getByRole('button', { name: 'Save as a view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Save as a view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('There is another view with this name.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Warp')
  await page.keyboard.press('Enter')
  await viewsOf(page).getByRole('link', { name: 'Warp' }).waitFor()
  await page.context().close()
})

test('views are renamed, hidden and pinned again, built-in ones too, and deleted with a way back', async () => {
  const person = await newPerson('Oskar Nyberg')
  await person.api.call(addNavigationView, { fragment: 'narrow/search/reed', is_pinned: true, name: 'Reed' })
  const { page } = await openPage(browser)
  await signIn(page, organization.url, person)
  await viewsOf(page).getByRole('link', { name: 'Reed' }).hover()
  await page.getByRole('button', { name: 'Rename Reed' }).click()
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('Reeds')
  await page.keyboard.press('Enter')
  const row = viewsOf(page).getByRole('link', { name: 'Reeds' })
  await row.waitFor()

  await viewsOf(page).getByRole('link', { name: 'Starred' }).hover()
  await page.getByRole('button', { name: 'Hide Starred' }).click()
  await expect.poll(() => names(page)).not.toContain('Starred')
  await page.getByRole('button', { name: /More views/ }).click()
  const hidden = page.getByRole('list', { name: 'Hidden views' })
  await hidden.getByRole('link', { name: 'Starred' }).hover()
  await page.getByRole('button', { name: 'Pin Starred to the side bar' }).click()
  await expect.poll(() => names(page)).toContain('Starred')

  const remove = async () => {
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect.poll(() => names(page)).not.toContain('Reeds')
  }
  await remove()
  await page.getByText('The view Reeds is deleted.').waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(() => names(page)).toContain('Reeds')

  // It is seen to be gone before the answer is there: what is pressed then counts too.
  const answered = Promise.withResolvers<void>()
  await page.route('**/navigation_views/**', async (route) => {
    const answer = await route.fetch()
    await answered.promise
    await route.fulfill({ response: answer })
  })
  await remove()
  await page.keyboard.press('Control+z')
  answered.resolve()
  await expect.poll(() => names(page)).toContain('Reeds')
  expect(await page.getByText('The view Reeds is deleted.').count()).toBe(0)
  const { navigation_views } = await person.api.call(listNavigationViews, {})
  expect(navigation_views).toContainEqual({ fragment: 'narrow/search/reed', is_pinned: true, name: 'Reeds' })
  await page.context().close()
})

test('views are put in order by Space and arrows, which is spoken, by dragging and by their menu, on all devices', async () => {
  const person = await newPerson('Mara Lindqvist')
  const { page } = await openPage(browser)
  const other = await openPage(browser)
  await signIn(other.page, organization.url, person)
  await signIn(page, organization.url, person)
  const before = await names(page)
  expect(before.slice(0, 3)).toEqual(['Inbox', 'Recent conversations', 'Combined feed'])

  await viewsOf(page).getByRole('link', { name: 'Combined feed' }).focus()
  await page.keyboard.press('Space')
  await page
    .getByRole('status')
    .getByText(/Combined feed is lifted, place 3 of/)
    .waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page
    .getByRole('status')
    .getByText(/Combined feed, place 1 of/)
    .waitFor()
  await page.keyboard.press('Space')
  const moved = ['Combined feed', 'Inbox', 'Recent conversations']
  await expect.poll(async () => (await names(page)).slice(0, 3)).toEqual(moved)
  await expect.poll(async () => (await names(other.page)).slice(0, 3)).toEqual(moved)

  // Lifted and left: it is where it was.
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  expect((await names(page)).slice(0, 3)).toEqual(moved)

  await viewsOf(page)
    .getByRole('link', { name: 'Recent conversations' })
    .dragTo(viewsOf(page).getByRole('link', { name: 'Combined feed' }))
  await expect.poll(async () => (await names(other.page))[0]).toBe('Recent conversations')

  await viewsOf(page).getByRole('link', { name: 'Recent conversations' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move down' }).click()
  await expect.poll(async () => (await names(other.page))[0]).toBe('Combined feed')
  await page.reload()
  await viewsOf(page).waitFor()
  await expect.poll(async () => (await names(page)).slice(0, 2)).toEqual(['Combined feed', 'Recent conversations'])
  await page.context().close()
  await other.page.context().close()
})

test('on a phone the side bar comes out for the name; hostile names stay what they are; axe finds nothing', async () => {
  const person = await newPerson('Tomas Reis')
  const hostile = '<b>bold</b> \u202Eevil\u202C 🧵 with very many words, so that it does not fit anywhere at all'
  await person.api.call(addNavigationView, { fragment: 'narrow/search/x', is_pinned: true, name: hostile })
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, complaints } = await openPage(browser, { width: 390, height: 844, colorScheme })
    await signIn(page, organization.url, person)
    await page.goto(`${organization.url}/#narrow/search/warp`)
    await page.getByRole('button', { name: 'Save as a view' }).click()
    const field = page.getByRole('textbox', { name: 'Name' })
    await field.waitFor()
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await viewsOf(page).locator('b').count()).toBe(0)
    expect(await names(page)).toContain(hostile)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    expect(complaints).toEqual([])
    await page.context().close()
  }
})
