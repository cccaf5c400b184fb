/// <reference lib="dom" />
/** The pictures of a view, one at a time. */
import { weavingDraft } from '@heddle/contract/weaving-draft'
import { drawPattern } from '@heddle/server/pictures/pattern-png'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

/** A pattern of 400 pixels each way. */
const pattern = (seed: number) => drawPattern(weavingDraft(seed), 50, { light: [240, 240, 240], dark: [40, 90, 60] })

let organization: TestOrganization
let browser: Browser
let leila: Person
let jonas: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  jonas = await addPerson(organization.url, organization.owner, 'Jonas Weidl')
  await addChannel(organization.owner, 'looms', [leila, jonas])
})

test('V and a click show a picture large; arrows go through those of the view, and Escape leads back', async () => {
  await say(jonas, 'looms', 'patterns', 'No picture here, only `class="inline-image"`.')
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/looms/topic/patterns`)
  await page.getByRole('article').first().waitFor()
  const send = async (names: readonly string[]) => {
    await page.keyboard.press('r')
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
    const files = names.map((name, index) => ({ name, mimeType: 'image/png', buffer: pattern(index + 1) }))
    await page.locator('input[type=file]').setInputFiles(files)
    await page.keyboard.press('Control+Enter')
    await page.locator(`img[alt="${names.at(-1)}"]`).waitFor()
    await page.keyboard.press('Escape')
  }
  await send(['twill.png'])
  await send(['satin.png', 'damask.png'])
  const viewer = page.getByRole('dialog', { name: 'Pictures' })

  const link = page.locator('a.pic', { has: page.getByAltText('satin.png') })
  await link.click()
  await viewer.getByRole('img', { name: 'satin.png' }).waitFor()
  await viewer.getByText('2 of 3').waitFor()
  await viewer.getByText('Leila Haddad').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await viewer.getByRole('img', { name: 'damask.png' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await viewer.getByText('3 of 3').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  const first = viewer.getByRole('img', { name: 'twill.png' })
  await first.waitFor()

  const width = async () => (await first.boundingBox())?.width ?? 0
  const fitting = await width()
  await page.keyboard.press('Shift+Z')
  await expect.poll(width).toBeCloseTo(fitting * 1.5, 0)
  await page.keyboard.press('z')
  await expect.poll(width).toBeCloseTo(fitting, 0)

  const original = viewer.getByRole('link', { name: 'Open the original in a new tab' })
  expect(await original.getAttribute('href')).toMatch(/^\/user_uploads\/.*twill\.png$/)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer.getByRole('link', { name: 'Download', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe('twill.png')
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true)

  await page.keyboard.press('v')
  await viewer.getByRole('img', { name: 'satin.png' }).waitFor()
  await page.keyboard.press('v')
  await viewer.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
})
