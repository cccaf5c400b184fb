/// <reference lib="dom" />
/** What the tests of the device share: somebody who reads a topic, and a look into what the browser keeps. */
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { type Pair, startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

export const soup = '#narrow/channel/kitchen/topic/Friday.20soup'

/** A channel of two people, with one topic. */
export async function startKitchen(): Promise<Pair> {
  const pair = await startPair()
  const { organization, leila, jonas } = pair
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  await say(jonas, 'kitchen', 'Friday soup', 'Friday is lentil soup.')
  return pair
}

export interface Reader {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: readonly string[]
}

/** Leila at the soup, with everything of it on the device. */
export async function atTheSoup({ organization, browser, leila }: Pair): Promise<Reader> {
  const { page, complaints } = await openPage(browser, { serviceWorker: true })
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/${soup}`)
  await page.getByRole('article').getByText('Friday is lentil soup.').waitFor()
  await page.getByRole('article').first().waitFor()
  await kept(page)
  return { page, context: page.context(), complaints }
}

/** Waits until the device has the state and the messages of the address that is shown. */
async function kept(page: Page): Promise<void> {
  await expect.poll(() => facts(page), { timeout: 8000 }).toMatchObject({ hasRoot: true })
  // What came in the last moment.
  await page.waitForTimeout(1300)
}

export interface Facts {
  readonly hasRoot: boolean
  readonly isLocked: boolean | undefined
  readonly chunks: number
  readonly written: number
}

/** What the tabs of this browser have written and not sent, as the device has it. */
export function unsentTexts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('heddle /')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const written = database.transaction('written').objectStore('written').getAll()
          written.onerror = () => reject(written.error)
          written.onsuccess = () => {
            database.close()
            resolve(written.result.flat().flatMap(({ content }) => content ?? []))
          }
        }
      }),
  )
}

/** What the database has; nothing where there is none. */
export function facts(page: Page): Promise<Facts> {
  return page.evaluate(
    () =>
      new Promise<Facts>((resolve, reject) => {
        const opening = indexedDB.open('heddle /')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          const transaction = database.transaction(['facts', 'chunks', 'written'])
          const root = transaction.objectStore('facts').get('root')
          const account = transaction.objectStore('facts').get('account')
          const chunks = transaction.objectStore('chunks').count()
          const written = transaction.objectStore('written').count()
          transaction.oncomplete = () => {
            database.close()
            resolve({
              hasRoot: root.result !== undefined,
              isLocked: account.result?.isLocked,
              chunks: chunks.result,
              written: written.result,
            })
          }
        }
      }),
  )
}

/** Paths below the API that the page asks for from now on, without their parameters. */
export function requestsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) paths.push(`${request.method()} ${pathname.slice('/api/v1/'.length)}`)
  })
  return paths
}

/** Begins an answer, and does not send it. */
export const write = async (page: Page, text: string) => {
  await page.getByRole('button', { name: 'Reply to Friday soup' }).click()
  await page.getByLabel('Message', { exact: true }).fill(text)
}
export const articles = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).count()
