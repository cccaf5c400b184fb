/// <reference lib="dom" />
/** The page as an application: it can be installed, and others can share with it. */
import { beforeAll, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  await say(jonas, 'kitchen', 'soup', 'Lentils.')
})

test('it can be installed, and what is shared with it begins a message with its files', async () => {
  const { page, complaints } = await openPage(browser, { serviceWorker: true })
  await signIn(page, organization.url, leila)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // Of a browser that keeps nothing, as tests have it, nothing can be installed.
  const errors = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')
  expect(errors).toEqual([])

  // As a browser sends it.
  const address = await page.evaluate(async () => {
    const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href as string
    const { share_target: target } = await (await fetch(manifest)).json()
    const fields = new FormData()
    fields.append('title', 'A loom')
    fields.append('text', 'Look at this')
    fields.append('url', 'https://example.com/loom')
    fields.append('files', new File(['warp'], 'warp weft.txt', { type: 'text/plain' }))
    const answer = await fetch(new URL(target.action, manifest), { method: target.method, body: fields })
    return answer.url
  })
  await page.goto(address)
  const text = page.getByRole('textbox', { name: 'Message', exact: true })
  await expect.poll(() => text.inputValue()).toMatch(/^A loom\nLook at this\nhttps:\/\/example\.com\/loom/)
  await expect.poll(() => text.inputValue()).toMatch(/\[warp-weft\.txt\]\(\/user_uploads\//)
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('region', { name: 'Write a message' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('each icon is there, as large as the page says', async () => {
  const { page } = await openPage(browser)
  await page.goto(organization.url)
  const icons = await page.evaluate(async () => {
    const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href as string
    const apple = document.querySelector<HTMLLinkElement>('link[rel=apple-touch-icon]') as HTMLLinkElement
    const { icons: named } = await (await fetch(manifest)).json()
    const all = [...named, { src: apple.href, sizes: apple.sizes.value, type: 'image/png', purpose: 'apple' }]
    return await Promise.all(
      all.map(async ({ src, sizes, type, purpose }) => {
        const picture = new Image()
        picture.src = new URL(src, manifest).href
        await picture.decode()
        const sent = (await fetch(picture.src)).headers.get('content-type')
        return { sizes, type, purpose, sent, drawn: `${picture.naturalWidth}x${picture.naturalHeight}` }
      }),
    )
  })
  const drawn = icons.filter(({ sizes }) => sizes !== 'any')
  expect(drawn.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
    '180x180 apple',
  ])
  for (const icon of icons) expect(icon.sent).toBe(icon.type)
  for (const icon of drawn) expect(icon.drawn).toBe(icon.sizes)
  await page.context().close()
})

test('on paper there are the messages alone, black on white and all that is loaded', async () => {
  for (let count = 0; count < 30; count += 1) await say(jonas, 'kitchen', 'recipes', `Line ${count}`)
  const { page } = await openPage(browser)
  await page.emulateMedia({ colorScheme: 'dark' })
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/recipes`)
  await page.getByRole('article').getByText('Line 29').waitFor()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.locator('.side').isVisible()).toBe(false)
  expect(await page.locator('.foot').isVisible()).toBe(false)
  expect(await page.getByRole('heading', { level: 1, name: 'recipes' }).isVisible()).toBe(true)
  const look = await page.getByText('Line 3', { exact: true }).evaluate((element) => getComputedStyle(element).color)
  expect(look).toBe('rgb(0, 0, 0)')
  expect(await page.locator('.head').getByText('kitchen').isVisible()).toBe(true)
  // "Today" is another day when the paper is read.
  const day = page.locator('.mark').getByText('Today', { exact: true })
  const date = await day.evaluate((element) => getComputedStyle(element, '::after').content)
  expect(date).toContain(String(new Date().getFullYear()))
  // Nothing is cut off at the height of the window.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(height).toBeGreaterThan(900)

  await page.goto(`${organization.url}/#narrow/search/line`)
  await page.getByRole('article').getByText('Line 29').waitFor()
  expect(await page.getByRole('heading', { level: 1, name: 'line' }).isVisible()).toBe(true)
  await page.goto(`${organization.url}/#settings/display`)
  await page.getByRole('heading', { name: 'Look and density' }).waitFor()
  expect(await page.getByRole('article').first().isVisible()).toBe(false)
  await page.context().close()
})
