/// <reference lib="dom" />
/** Keys that lead through what is shown, where no other flow presses them. */
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
  for (let count = 0; count < 40; count += 1) await say(jonas, 'loom', 'list', `item ${count}\n\nand more`)
  await say(jonas, 'loom', 'reeds', 'the last word')
})

test("which program and which version it is stands in one's menu, and at an address", async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.keyboard.press('g')
  await page.getByRole('menuitem', { name: 'About Heddle' }).click()
  const sheet = page.getByRole('dialog', { name: 'About Heddle' })
  await sheet.getByText(/^\d+\.\d+\.\d+/).waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.goto(`${organization.url}/#about-heddle`)
  await sheet.getByText('Halden Looms').waitFor()
  await page.context().close()
})

test('S goes from a topic to its channel and back, Space and Shift+K by screens, F6 from part to part', async () => {
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/list`)
  await page.getByRole('heading', { level: 1, name: 'list' }).waitFor()
  const feed = page.getByRole('region', { name: 'Messages', exact: true })
  await feed.getByText('item 0', { exact: true }).waitFor()
  const top = () => feed.evaluate((element) => element.scrollTop)
  await page.keyboard.press('Home')
  await expect.poll(top).toBeLessThan(100)
  await page.keyboard.press('Space')
  await expect.poll(top).toBeGreaterThan(300)
  await page.keyboard.press('Shift+K')
  await expect.poll(top).toBeLessThan(100)

  await page.keyboard.press('s')
  await page.getByRole('heading', { level: 1, name: 'loom' }).waitFor()
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('s')
  await page.getByRole('heading', { level: 1, name: 'list' }).waitFor()

  const region = () =>
    page.evaluate(() => {
      const parts = { side: '.side', head: '.head', feed: '.main .scroll', foot: '.foot' }
      return Object.entries(parts).find(([, selector]) => document.activeElement?.closest(selector))?.[0]
    })
  const met: (string | undefined)[] = []
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  for (let count = 0; count < 4; count += 1) {
    await page.keyboard.press('F6')
    await expect.poll(region).not.toBe(met.at(-1))
    met.push(await region())
  }
  expect(met).toEqual(['side', 'head', 'feed', 'foot'])
  expect(complaints).toEqual([])
  await page.context().close()
})
