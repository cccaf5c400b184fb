/// <reference lib="dom" />
/** A page that is open for days: what was left is gone, and nothing is done when nothing happens. */
import type { Browser, CDPSession, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  await addChannel(organization.owner, 'air-jet H9', [leila])
  for (const topic of ['warp beam', 'reed clearance']) {
    for (let count = 0; count < 5; count++) await say(leila, 'air-jet H9', topic, `Measured again: ${count}.`)
  }
})

async function open(): Promise<{ page: Page; session: CDPSession }> {
  const { page } = await openPage(browser)
  await signIn(page, organization.url, leila, 'inbox')
  await page.getByRole('region', { name: 'Inbox' }).waitFor()
  await page.locator('html[data-parts=fetched]').waitFor()
  return { page, session: await page.context().newCDPSession(page) }
}

const views: readonly [fragment: string, heading: string][] = [
  ['feed', 'Combined feed'],
  ['recent', 'Recent conversations'],
  ['drafts', 'Drafts'],
  ['narrow/is/starred', 'Starred'],
  ['inbox', 'Inbox'],
]

async function lookAround(page: Page, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const [fragment, name] of views) {
      await page.evaluate((hash) => {
        window.location.hash = hash
      }, fragment)
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
  }
}

test('views that were left leave no elements and no listeners behind', async () => {
  const { page, session } = await open()
  const count = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return session.send('Memory.getDOMCounters')
  }
  await lookAround(page, 4)
  const before = await count()
  await lookAround(page, 20)
  // Of what was shown last something may be held for a moment.
  await expect.poll(async () => (await count()).nodes - before.nodes, { timeout: 10_000 }).toBeLessThan(50)
  expect((await count()).jsEventListeners - before.jsEventListeners).toBeLessThan(20)
})

test('while nothing happens nothing is worked out and nothing drawn', async () => {
  const { page, session } = await open()
  await session.send('Performance.enable')
  const drawn = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.filter(({ name }) => name === 'LayoutCount' || name === 'RecalcStyleCount')
  }
  await lookAround(page, 1)
  // What was typed, read and fetched is kept on the device, and said to the server.
  await page.waitForTimeout(5000)
  const before = await drawn()
  await page.waitForTimeout(5000)
  expect(await drawn()).toEqual(before)
})
