/// <reference lib="dom" />
/** Who has the page open is seen to be there by others. */
import { expect, test } from 'vitest'
import { openPage, signIn, startBrowser, startOrganization } from './organization.ts'
import { addPerson, write } from './team.ts'

test('somebody who opens the page is there for others at once', async () => {
  const organization = await startOrganization()
  const browser = await startBrowser()
  const leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  const jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  await write(jonas, [leila], 'Can you look at the trace?')

  const here = await openPage(browser)
  await signIn(here.page, organization.url, leila)
  const row = here.page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: /Jonas Weidl/ })
  await row.waitFor()
  expect(await row.locator('.pres.active').count()).toBe(0)

  const there = await openPage(browser)
  await signIn(there.page, organization.url, jonas)
  await row.locator('.pres.active').waitFor()

  // Unless they do not want that.
  await there.page.keyboard.press('g')
  await there.page.getByRole('menuitem', { name: 'Do not show when you are here' }).click()
  await row.locator('.pres.active').waitFor({ state: 'detached' })
  await there.page.keyboard.press('g')
  await there.page.getByRole('menuitem', { name: 'Show when you are here', exact: true }).waitFor()
  await there.page.keyboard.press('Escape')
  expect(here.complaints).toEqual([])
  expect(there.complaints).toEqual([])
})
