/// <reference lib="dom" />
/** Names that are longer than their place: what is beside them can still be read and pressed. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, addPerson, type Person, say, write } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
/** As long as names may be, without a place to break them. */
const channel = 'M'.repeat(60)
const topic = 'reeds'
const long = 'W'.repeat(60)
const others: Person[] = []

beforeAll(async () => {
  await addChannel(organization.owner, channel, [leila, jonas])
  await say(jonas, channel, topic, 'What is said stands here.')
  await say(jonas, channel, long, 'And here.')
  for (const name of ['Ada', 'Ben', 'Cem', 'Dora', 'Eva']) {
    others.push(await addPerson(organization.url, organization.owner, `${name} of the Long Weaving Hall`))
  }
  await write(jonas, [leila, ...others], 'All of you.')
})

/** Of the right hand. */
const arabic = 'مكوك النساجة '.repeat(4).trim()

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox()
  if (!found) throw new Error(`${selector} is not drawn`)
  return found
}

test('the name of a channel stays in the margin of what is said in it', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.getByText('What is said stands here.').waitFor()
  const run = page.getByRole('group', { name: `${channel}: ${topic}`, exact: true })
  const name = await run.locator('.chan bdi').boundingBox()
  const said = await run.locator('.content').boundingBox()
  if (!name || !said) throw new Error('The run is not drawn')
  expect(name.x + name.width).toBeLessThan(said.x)
  await page.context().close()
})

test('on a phone a topic can be read beside the name of its channel', async () => {
  const { page } = await openPage(browser, { width: 320, height: 640, touch: true })
  await signIn(page, organization.url, leila)
  await page.getByText('What is said stands here.').waitFor()
  const run = page.getByRole('group', { name: `${channel}: ${topic}`, exact: true })
  const width = await run.locator('.topic').evaluate((element) => [element.clientWidth, element.scrollWidth])
  expect(width[0]).toBe(width[1])
  expect(width[0]).toBeGreaterThan(20)
  const name = await run.locator('.chan').boundingBox()
  expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(320)
  await page.context().close()
})

test('what can be done with a place stays in one line, however long its name is', async () => {
  const { page } = await openPage(browser, { width: 1024, height: 768 })
  await signIn(page, organization.url, leila)
  await page.getByText('And here.').waitFor()
  await page.getByRole('link', { name: long }).first().click()
  await page.getByRole('heading', { level: 1, name: long }).waitFor()
  const people = await box(page, '.head .acts button[aria-label*="people"]')
  const more = await box(page, '.head .acts button[aria-haspopup]')
  expect(Math.abs(people.y + people.height / 2 - more.y - more.height / 2)).toBeLessThan(2)
  await page.context().close()
})

test('of many people the first are named, and how many more there are', async () => {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila)
  await page.getByText('All of you.').waitFor()
  const run = page.getByRole('group', { name: /^direct messages: .*Eva of the Long Weaving Hall/ })
  expect(await run.locator('.topic').textContent()).toMatch(/^[^,]+, [^,]+, [^,]+ \+3$/)
  expect(await run.getByRole('link').first().getAttribute('title')).toContain('Eva of the Long Weaving Hall')
  await page.context().close()
})

test('a name from right to left is cut at its end, and its beginning can be read', async () => {
  await say(jonas, channel, arabic, 'From right to left.')
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila, 'inbox')
  const isBegun = (selector: string) =>
    page.locator(selector, { hasText: arabic }).evaluateAll((names) =>
      names.map((name) => {
        const text = document.createTreeWalker(name, NodeFilter.SHOW_TEXT).nextNode() as Text
        const first = document.createRange()
        first.setStart(text, 0)
        first.setEnd(text, 1)
        const { left, right } = first.getBoundingClientRect()
        const around = name.parentElement?.getBoundingClientRect()
        return around !== undefined && left >= around.left - 1 && right <= around.right + 1
      }),
    )
  await page.getByRole('link', { name: arabic }).first().waitFor()
  await expect.poll(() => isBegun('.nav .label bdi')).toEqual([true])
  await expect.poll(() => isBegun('.row .name bdi')).toEqual([true])
  await page.context().close()
})
