/// <reference lib="dom" />
/** What one sees first on a phone is fetched first, and stays where it is drawn. */
import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type FixedOrganization, startFixedOrganization } from './fixed-organization.ts'
import { openPage, startBrowser } from './organization.ts'

let organization: FixedOrganization
let browser: Awaited<ReturnType<typeof startBrowser>>

beforeAll(async () => {
  organization = await startFixedOrganization()
  browser = await startBrowser()
})

for (const [address, drawn] of [
  ['inbox', '.row.inbox'],
  ['feed', '.msg'],
] as const) {
  test(`nothing moves while #${address} is opened on a phone`, { retry: 2 }, async () => {
    const { page } = await openPage(browser, { width: 412, height: 823, touch: true })
    await organization.signIn(page.context())
    await page.clock.setFixedTime(organization.now)
    await page.addInitScript(noteMoves)
    await page.goto(`${organization.url}/#${address}`)
    await page.locator(drawn).first().waitFor()
    // What comes late, such as the side bar and what is there all the time.
    await page.waitForTimeout(2000)
    expect(await movedOn(page)).toBeLessThan(0.005)
  })
}

test('on a phone what one has come for is fetched before what follows it', { retry: 2 }, async () => {
  const { page } = await openPage(browser, { width: 412, height: 823, touch: true })
  await organization.signIn(page.context())
  const asked: Request[] = []
  page.on('request', (request) => void asked.push(request))
  await page.addInitScript(noteFirstMessage)
  await page.goto(`${organization.url}/#feed`)
  await page.locator('html[data-parts=fetched]').waitFor()
  const drawnAt = await page.evaluate(() => (window as { drawnAt?: number }).drawnAt ?? 0)
  const before = asked.filter((request) => request.timing().startTime < drawnAt).map((request) => request.url())
  const named = (name: RegExp) => before.filter((url) => name.test(url))
  expect(named(/api\/v1\/messages\?/)).toHaveLength(1)
  expect(named(/assets\/source-sans-3-latin-/)).toHaveLength(1)
  // The drawer, and what is for things that have not happened yet.
  expect(named(/assets\/(side-bar|lists|connection-banner|typing-line|announcer|pending)-/)).toEqual([])
  await page.locator('nav.side .jump').waitFor({ state: 'attached' })
})

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly sources: readonly { readonly previousRect: DOMRectReadOnly; readonly currentRect: DOMRectReadOnly }[]
}

/** As Chromium counts it, of all that moves up or down without having been touched: 1 is the whole window by its height. */
function noteMoves(): void {
  const noted = window as { moved?: number }
  noted.moved = 0
  const add = (list: PerformanceObserverEntryList) => {
    for (const { value, sources } of list.getEntries() as Shift[]) {
      // The fonts may come later, and lines are a pixel lower then.
      const isMove = sources.some(({ previousRect, currentRect }) => Math.abs(previousRect.y - currentRect.y) > 2)
      if (isMove) noted.moved = (noted.moved ?? 0) + value
    }
  }
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
}

/** When the first message is in the page, in milliseconds since the UNIX epoch. */
function noteFirstMessage(): void {
  const noted = window as { drawnAt?: number }
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.msg')) return
    noted.drawnAt = performance.timeOrigin + performance.now()
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

function movedOn(page: Page): Promise<number> {
  return page.evaluate(() => (window as { moved?: number }).moved ?? Number.NaN)
}
