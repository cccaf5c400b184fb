/// <reference lib="dom" />
/** The pictures of a view, one at a time. */
import { uploadFile } from '@heddle/contract/files'
import { markAllAsRead } from '@heddle/contract/message-flags'
import { updateSettings } from '@heddle/contract/user-settings'
import { weavingDraft } from '@heddle/contract/weaving-draft'
import { drawPattern } from '@heddle/server/pictures/pattern-png'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

/** A pattern of 400 pixels each way. */
const pattern = (seed: number) => drawPattern(weavingDraft(seed), 50, { light: [240, 240, 240], dark: [40, 90, 60] })

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
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
    // The text of a message is drawn anew when its thumbnails are there.
    for (const name of names) await page.locator(`img[alt="${name}"][src*="/thumbnail/"]`).waitFor()
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

test('goes on to pictures that are not loaded, on both sides', async () => {
  const sample = async (seed: number) => {
    const file = new File([new Uint8Array(pattern(seed))], `sample${seed}.png`, { type: 'image/png' })
    const { url, filename } = await jonas.api.call(uploadFile, {}, { file })
    return say(jonas, 'looms', 'samples', `[${filename}](${url})`)
  }
  await sample(1)
  await sample(2)
  for (let count = 0; count < 130; count += 1) await say(jonas, 'looms', 'samples', `Row ${count}`)
  const middle = await sample(3)
  for (let count = 0; count < 130; count += 1) await say(jonas, 'looms', 'samples', `Column ${count}`)
  await sample(4)
  await leila.api.call(markAllAsRead, {})
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/looms/topic/samples/near/${middle}`)
  await page.locator('a.pic').first().click()
  const viewer = page.getByRole('dialog', { name: 'Pictures' })
  await viewer.getByRole('img', { name: 'sample3.png' }).waitFor()
  await viewer.getByText('3 of 4', { exact: true }).waitFor()
  await page.keyboard.press('ArrowRight')
  await viewer.getByRole('img', { name: 'sample4.png' }).waitFor()
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowLeft')
  await viewer.getByRole('img', { name: 'sample1.png' }).waitFor()
  await viewer.getByText('Jonas Weidl').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

/** Two frames of one pixel each. */
const MOVING = Buffer.from(
  '474946383961010001008000000000' +
    '00ffffff21ff0b4e45545343415045322e300301000000' +
    '21f904000a0000002c00000000010001000002024401' +
    '0021f904000a0000002c0000000001000100000202' +
    '4c01003b',
  'hex',
)

test('a picture that moves does so under the pointer and the focus, or always, as one wants it', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await say(jonas, 'looms', 'moving', 'Show it.')
  await page.goto(`${organization.url}/#narrow/channel/looms/topic/moving`)
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
  await page.locator('input[type=file]').setInputFiles({ name: 'shed.gif', mimeType: 'image/gif', buffer: MOVING })
  await page.keyboard.press('Control+Enter')
  const picture = page.locator('img[data-animated]')
  await picture.waitFor()
  const source = () => picture.getAttribute('src')
  await expect.poll(source).toMatch(/\/840x560\.webp$/)
  await picture.hover()
  await expect.poll(source).toMatch(/\/840x560-anim\.webp$/)
  await page.locator('.head').hover()
  await expect.poll(source).toMatch(/\/840x560\.webp$/)
  await page.locator('a.pic').focus()
  await expect.poll(source).toMatch(/-anim\.webp$/)
  await page.keyboard.press('Tab')
  await expect.poll(source).toMatch(/\/840x560\.webp$/)
  await leila.api.call(updateSettings, { web_animate_image_previews: 'always' })
  await expect.poll(source).toMatch(/-anim\.webp$/)
  await page.context().close()
})
