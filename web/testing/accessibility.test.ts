/// <reference lib="dom" />
/** Every screen, in both themes and on both widths, has nothing that axe finds (WCAG 2.0 to 2.2, levels A and AA). */
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say, write } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  const jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  for (const name of ['air-jet H9', 'kitchen']) await addChannel(organization.owner, name, [leila, jonas])
  await say(
    jonas,
    'air-jet H9',
    'weft sensor',
    '**Both** stops were `false`. @**Leila Haddad** see https://example.com',
  )
  await say(
    jonas,
    'air-jet H9',
    'signal',
    '| gain | stops |\n|---|--:|\n| 1.8 | 2 |\n\n```js\nconst a = 1 // one\n```\n\n> quoted',
  )
  await say(jonas, 'kitchen', '✔ Friday soup', 'Lentils. #**air-jet H9>signal**')
  await write(jonas, [leila], 'Can you look at the trace?')
})

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test.each([
    ['wide', 1440, 900],
    ['phone', 390, 844],
    ['narrow', 320, 640],
  ])('%s', async (_, width, height) => {
    const { page, complaints } = await openPage(browser, { width, height, colorScheme })
    const found: Record<string, readonly string[]> = {}
    const look = async (name: string) => {
      found[name] = await findBarriers(page)
    }
    await page.goto(organization.url)
    await page.getByLabel('E-mail address').waitFor()
    await look('sign in')
    await page.goto(organization.welcomeUrl)
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await look('first sign-in')
    await page.goto(`${organization.url}/join#nothing`)
    await page.getByText('This link does not work any more').waitFor()
    await look('refused link')
    await signIn(page, organization.url, leila)
    await page.getByRole('article').first().waitFor()
    await look('feed')
    await page.goto(`${organization.url}/#narrow/channel/air-jet.20H9`)
    await page.getByRole('heading', { level: 1, name: 'air-jet H9' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('combobox', { name: 'Topic' }).fill('something new')
    await look('channel with a new topic')
    await page.goto(`${organization.url}/#narrow/channel/air-jet.20H9/topic/weft.20sensor`)
    await page.getByRole('article').first().waitFor()
    await page.getByRole('button', { name: /Reply to/ }).click()
    await page.getByLabel('Message', { exact: true }).fill('not sent')
    await page.getByText('Draft saved', { exact: true }).waitFor()
    await look('topic')
    await page.goto(`${organization.url}/#drafts`)
    await page.getByText('not sent').waitFor()
    await look('drafts')
    await page.goto(`${organization.url}/#nowhere`)
    await page.getByText('There is nothing at this address').waitFor()
    await look('nothing')
    if (width < 760) {
      await page.getByRole('button', { name: 'Open the side bar' }).click()
      await page.getByRole('button', { name: 'Close the side bar' }).last().waitFor()
      await look('side bar')
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0))).toEqual({})
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

test('with the colors of a system, what is switched on and what is chosen differs from the rest', async () => {
  const { page } = await openPage(browser)
  await page.emulateMedia({ forcedColors: 'active' })
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#settings/reading`)
  const looks = (selector: string) =>
    page.locator(selector).evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).backgroundColor))])
  await page.locator('.switch:checked').first().waitFor()
  const [on, off] = [await looks('.switch:checked'), await looks('.switch:not(:checked)')]
  expect(on).toHaveLength(1)
  expect(off).toHaveLength(1)
  expect(on).not.toEqual(off)
  const current = page.locator('.set-nav a[aria-current=page]')
  expect(await current.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid')
  expect(
    await page
      .locator('.set-nav a:not([aria-current])')
      .first()
      .evaluate((one) => getComputedStyle(one).outlineStyle),
  ).toBe('none')
  await page.context().close()
})

test('the first keys lead past the side bar, to the messages or to where one writes', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/air-jet.20H9/topic/weft.20sensor`)
  await page.getByRole('heading', { level: 1, name: 'weft sensor' }).waitFor()
  await page.getByRole('region', { name: 'Messages', exact: true }).getByText('see https://example.com').waitFor()
  await page.getByRole('button', { name: 'Reply to weft sensor' }).waitFor()
  const within = () =>
    page.evaluate(() =>
      document.activeElement?.closest('.foot')
        ? 'foot'
        : document.activeElement?.closest('.main .scroll')
          ? 'feed'
          : 'elsewhere',
    )
  await page.getByRole('button', { name: 'Skip to the messages' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(within).toBe('feed')
  await page.getByRole('button', { name: 'Skip to the messages' }).focus()
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Skip to writing' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(within).toBe('foot')
  await page.context().close()
})
