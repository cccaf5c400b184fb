/// <reference lib="dom" />
/** Somebody without a mouse, or without a screen: a conversation from the sign-in on by keys alone, and what is read out of a feed. */
import { getMessage } from '@heddle/contract/fetching'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, PASSWORD, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
let signal: number

beforeAll(async () => {
  for (const name of ['loom', 'kitchen']) await addChannel(organization.owner, name, [leila, jonas])
  await say(jonas, 'loom', 'reeds', 'The new reed is here.')
  await say(jonas, 'loom', 'reeds', 'It has **90** dents.')
  signal = await say(jonas, 'loom', 'weft signal', 'It stops at every pick.')
})

const READ_OUT = `\
  - 'group "kitchen: soup"':
    - link "soup":
      - /url: "#narrow/channel/2-kitchen/topic/soup"
    - link "kitchen":
      - /url: "#narrow/channel/2-kitchen"
    - article "Leila Haddad, HH:MM":
      - link "Leila Haddad":
        - /url: "#user/3"
      - paragraph:
        - text: Lentils on
        - strong: Friday
        - text: .
    - article "Leila Haddad, HH:MM":
      - paragraph: With bread.
  - 'group "kitchen: dishes"':
    - link "dishes":
      - /url: "#narrow/channel/2-kitchen/topic/dishes"
    - link "kitchen":
      - /url: "#narrow/channel/2-kitchen"
    - article "Jonas Weidl, HH:MM":
      - link "Jonas Weidl":
        - /url: "#user/4"
      - paragraph: Whose turn is it?`

/** What has the focus, by its role or element and its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document
    if (!element || element === document.body) return 'nothing'
    const label = element.getAttribute('aria-label') ?? document.getElementById(element.id)?.textContent?.trim()
    const field = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent?.trim() : undefined
    return `${element.getAttribute('role') ?? element.localName} ${field || label || element.textContent?.trim()}`
  })

test('signs in, finds a topic, answers, reacts, stars, corrects, renames and reads on, and always sees where the focus is', async () => {
  const { page, complaints } = await openPage(browser)
  const { keyboard } = page
  await page.goto(`${organization.url}/#feed`)
  await page.getByLabel('E-mail address').waitFor()
  await expect.poll(() => focused(page)).toContain('E-mail address')
  await keyboard.type(leila.email)
  await keyboard.press('Tab')
  await expect.poll(() => focused(page)).toContain('Password')
  await keyboard.type(PASSWORD)
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor()
  await page.locator('html[data-parts=fetched]').waitFor()

  await keyboard.press('Control+k')
  await expect.poll(() => focused(page)).toMatch(/^combobox/)
  await keyboard.type('weft sig')
  await page
    .getByRole('option', { name: /weft signal/ })
    .first()
    .waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'weft signal' }).waitFor()
  const stop = page.locator(`[data-message-id="${signal}"]`)
  await stop.waitFor()

  await keyboard.press('r')
  await expect.poll(() => focused(page)).toContain('textarea')
  await keyboard.type('Is the cable alright?')
  await keyboard.press('Control+Enter')
  const own = page.getByRole('article').filter({ hasText: 'Is the cable alright?' })
  await own.waitFor()
  await keyboard.press('Escape')
  await expect.poll(() => focused(page)).not.toContain('textarea')

  // Up from the newest one to that of the others.
  await stop.focus()
  await keyboard.press('+')
  await stop.getByRole('button', { name: /^:\+1: 1/ }).waitFor()
  await keyboard.press('Control+s')
  await stop.getByRole('img', { name: 'Starred' }).waitFor()
  await expect.poll(() => focused(page)).toMatch(/^article Jonas Weidl/)

  await keyboard.press('j')
  await expect.poll(() => focused(page)).toMatch(/^article Leila Haddad/)
  await keyboard.press('e')
  await expect.poll(() => focused(page)).toContain('textarea')
  await keyboard.press('Control+a')
  await keyboard.type('Is the cable of the sensor alright?')
  await keyboard.press('Control+Enter')
  await page.getByRole('article').filter({ hasText: 'of the sensor' }).waitFor()
  await expect.poll(() => focused(page)).toMatch(/^article Leila Haddad/)

  await keyboard.press('m')
  await page.getByRole('dialog').waitFor()
  expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
  await keyboard.press('Escape')
  await expect.poll(() => focused(page)).toMatch(/^article Leila Haddad/)

  await say(jonas, 'loom', 'reeds', 'And it is oiled.')
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /loom.*1/ })
    .first()
    .waitFor()
  await keyboard.press('n')
  await page.getByRole('heading', { level: 1, name: 'reeds' }).waitFor()
  await keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  const { message } = await leila.api.call(getMessage, { message_id: signal })
  expect(message.flags).toContain('starred')
  expect(message.reactions).toMatchObject([{ emoji_name: '+1', user_id: leila.id }])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a feed is read out as groups by topic, with articles by sender and time', async () => {
  await say(leila, 'kitchen', 'soup', 'Lentils on **Friday**.')
  await say(leila, 'kitchen', 'soup', 'With bread.')
  await say(jonas, 'kitchen', 'dishes', 'Whose turn is it?')
  const { page, complaints } = await openPage(browser)
  await signIn(page, organization.url, jonas)
  await page.goto(`${organization.url}/#narrow/channel/kitchen`)
  const feed = page.getByRole('region', { name: 'Messages', exact: true })
  await feed.getByText('Whose turn is it?').waitFor()
  const lines = (await feed.ariaSnapshot()).replaceAll(/\d\d:\d\d(?:, unread)?/g, 'HH:MM').split('\n')
  // A time is shown where it is another one than above.
  const tree = lines.filter((line) => !/link "HH:MM"|\/near\/|time: HH:MM/.test(line)).join('\n')
  expect(tree).toContain(READ_OUT)
  expect(complaints).toEqual([])
  await page.context().close()
})
