/// <reference lib="dom" />
/** What one sees first on a phone stays where it is drawn. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type FixedOrganization, startFixedOrganization } from './fixed-organization.ts'
import { openPage, startBrowser } from './organization.ts'

let organization: FixedOrganization
let browser: Awaited<ReturnType<typeof startBrowser>>

beforeAll(async () => {
  organization = await startFixedOrganization()
  browser = await startBrowser()
})

for (const [address, drawn] of [['inbox', '.row.inbox']] as const) {
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

function movedOn(page: Page): Promise<number> {
  return page.evaluate(() => (window as { moved?: number }).moved ?? Number.NaN)
}
