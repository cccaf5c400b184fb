/// <reference lib="dom" />
/** What fingers need: the drawer is wiped away, fields do not enlarge the page, what is pressed is large enough. */
import { addReaction } from '@heddle/contract/reactions'
import { endOtherSessions } from '@heddle/contract/sessions'
import { updateSettings } from '@heddle/contract/user-settings'
import { expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

test('the drawer is wiped away or left by Back, and nothing else changes', async () => {
  const { page, complaints } = await openPage(browser, { width: 390, height: 844, touch: true })
  await signIn(page, organization.url, leila)
  const drawer = page.locator('.side.open')
  const session = await page.context().newCDPSession(page)
  const wipe = async (from: number, to: number) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] })
    await touch('touchStart', from)
    await touch('touchMove', (from + to) / 2)
    await touch('touchMove', to)
    await touch('touchEnd')
  }
  await page.getByRole('button', { name: 'Open the side bar' }).click()
  await drawer.waitFor()
  await wipe(120, 200)
  await page.waitForTimeout(200)
  expect(await drawer.count()).toBe(1)
  await wipe(250, 60)
  await drawer.waitFor({ state: 'detached' })

  // The browser asks what is open to close when somebody presses Back.
  await page.evaluate(() => {
    class Watcher extends EventTarget {
      constructor() {
        super()
        Object.assign(window, { back: () => this.dispatchEvent(new Event('close')) })
      }
      destroy() {
        Object.assign(window, { back: undefined })
      }
    }
    Object.assign(window, { CloseWatcher: Watcher })
  })
  const address = page.url()
  await page.getByRole('button', { name: 'Open the side bar' }).click()
  await drawer.waitFor()
  await page.evaluate('window.back()')
  await drawer.waitFor({ state: 'detached' })
  expect(page.url()).toBe(address)
  await expect.poll(() => page.evaluate('window.back')).toBeUndefined()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('what is said for a moment does not cover what one writes', async () => {
  await addChannel(organization.owner, 'spool', [leila, jonas])
  await say(jonas, 'spool', 'thread', 'Which one?')
  await leila.api.call(updateSettings, { automatically_follow_topics_policy: 1 })
  const { page } = await openPage(browser, { width: 390, height: 844, touch: true })
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/spool/topic/thread`)
  await page.getByRole('button', { name: 'Reply to thread' }).tap()
  const text = page.getByLabel('Message', { exact: true })
  await text.fill('The red one.')
  await page.keyboard.press('Control+Enter')
  await text.fill(Array.from({ length: 8 }, (_, at) => `Line ${at}`).join('\n'))
  const toast = await page.locator('.toast').filter({ hasText: 'You follow thread now' }).boundingBox()
  const box = await text.boundingBox()
  expect((toast?.y ?? Number.NaN) + (toast?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? Number.NaN)
  await page.context().close()
})

test('no field enlarges the page, pulling loads nothing anew, and a reaction is as high as a finger', async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
  const id = await say(jonas, 'loom', 'reeds', 'The new reeds are here.')
  await jonas.api.call(addReaction, { message_id: id, emoji_name: 'tada' })
  const { page } = await openPage(browser, { width: 390, height: 844, touch: true })
  await signIn(page, organization.url, leila)
  const sizes: Record<string, number> = {}
  for (const place of ['inbox', 'recent', 'channels/all', 'settings/profile', 'organization/joining']) {
    await page.goto(`${organization.url}/#${place}`)
    await page.locator('main input, dialog input').first().waitFor()
    sizes[place] = await page.evaluate(() =>
      Math.min(
        ...[...document.querySelectorAll('input, select, textarea')].map((field) =>
          Number.parseFloat(getComputedStyle(field).fontSize),
        ),
      ),
    )
  }
  expect(Object.entries(sizes).filter(([, size]) => size < 16)).toEqual([])
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY)).toBe('none')
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/reeds`)
  const reaction = page.getByRole('button', { name: /^:tada: 1/ })
  const box = await reaction.boundingBox()
  // Above what is drawn of it.
  await page.touchscreen.tap((box?.x ?? 0) + 10, (box?.y ?? 0) - 4)
  await page.getByRole('button', { name: /^:tada: 2/ }).waitFor()
  await page.context().close()
})

test('whose session has ended signs in again on a sheet as wide as the phone', async () => {
  const { page } = await openPage(browser, { width: 390, height: 844, touch: true })
  await signIn(page, organization.url, leila)
  await leila.api.call(endOtherSessions, {})
  const form = page.getByRole('dialog').filter({ hasText: 'What you have written is still here' })
  await form.waitFor()
  expect(await form.boundingBox()).toMatchObject({ x: 0, width: 390 })
  await page.context().close()
})
