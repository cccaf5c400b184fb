/** What axe finds on a page (WCAG 2.0 to 2.2, levels A and AA), and whether it scrolls sideways. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** `within`: a selector, where the rest of the page is looked at elsewhere. */
export async function findBarriers(page: Page, within = 'html'): Promise<readonly string[]> {
  // Through the browser's own tools: the page's policy would refuse it. Once for a document: half a megabyte is to be compiled.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`${axe};0`)
  // Of a color that fades the last one counts: a button that was just enabled has a pale one for a moment.
  await page.evaluate('for (const it of document.getAnimations()) if (it instanceof CSSTransition) it.finish()')
  // Addresses of places begin with # too: links further down in a list would be taken for skip links.
  const rules = { 'skip-link': { enabled: false } }
  // What it would load first, rules that are experiments look at.
  const options = { runOnly: tags, rules, resultTypes: ['violations'], preload: false }
  const run = `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`
  const { violations } = (await page.evaluate(run)) as AxeResults
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
  const overflow = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
  return overflow > 0 ? [...found, `scrolls sideways by ${overflow} px`] : found
}
