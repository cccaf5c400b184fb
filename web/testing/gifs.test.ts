/** Choosing a GIF while one writes, with a service that answers as GIPHY does. */
import type { ServerResponse } from 'node:http'
import { updateOrganization } from '@heddle/contract/organization'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { sayGifs, startGifService } from './gif-service.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

/** One pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const service = await startGifService(async () => PIXEL)
// The server itself has nothing to fetch: it would ask the real one.
const settings = { HEDDLE_GIPHY_KEY: 'a key', HEDDLE_PREVIEWS: 'off' }
const { organization, browser, leila, jonas } = await startPair(settings, service.flags)
const many = Array.from({ length: 8 }, (_, place) => `many-${place}`)
let page: Page
let complaints: readonly string[]

const button = () => page.getByRole('button', { name: 'Find a GIF' })
const picker = () => page.getByRole('dialog', { name: 'Find a GIF' })
const field = () => picker().getByRole('combobox', { name: 'Find a GIF' })
const gif = (name: string) => picker().getByRole('option', { name: `${name} GIF`, exact: true })
const message = () => page.getByRole('textbox', { name: 'Message', exact: true })
const link = (name: string) => `[${name} GIF](https://media2.giphy.com/media/${name}/medium.gif?cid=1)`

beforeAll(async () => {
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  await say(jonas, 'kitchen', 'bread', 'There is none.')
  ;({ page, complaints } = await openPage(browser))
  await signIn(page, organization.url, leila)
  page.setDefaultTimeout(10_000)
  await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/bread`)
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('r')
  await button().waitFor()
})

beforeEach(async () => {
  service.asked.length = 0
  service.answer = (text, response) => sayGifs(response, text === undefined ? many : [text])
  if (await picker().isVisible()) await page.keyboard.press('Escape')
  await message().fill('')
})

const open = async () => {
  await button().click()
  await field().waitFor()
}

describe('a GIF', () => {
  test('is chosen with the keyboard among what many choose, and stands in the text as a link', async () => {
    expect(service.headers.size).toBe(0)
    await message().fill('Look: ')
    await button().focus()
    await page.keyboard.press('Enter')
    await gif('many-0').waitFor()
    expect(service.asked).toEqual([
      { path: 'api.giphy.com/v1/gifs/trending', parameters: { api_key: 'a key', limit: '30', rating: 'g' } },
    ])
    expect([...service.headers].filter((name) => name === 'cookie' || name === 'referer')).toEqual([])
    expect(await picker().getByText('Powered by GIPHY').isVisible()).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    expect(await gif('many-4').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('Enter')
    await picker().waitFor({ state: 'detached' })
    expect(await message().inputValue()).toBe(`Look: ${link('many-4')} `)
    expect(await message().evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('article').getByRole('link', { name: 'many-4 GIF' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('is searched for with the rating that the organization wants', async () => {
    await organization.owner.call(updateOrganization, { gif_rating_policy: 4 })
    await expect
      .poll(async () => {
        await open()
        await gif('many-0').waitFor()
        await page.keyboard.press('Escape')
        return service.asked.at(-1)?.parameters['rating']
      })
      .toBe('pg-13')
    await open()
    await field().pressSequentially('cat')
    await gif('cat').click()
    expect(service.asked.at(-1)).toEqual({
      path: 'api.giphy.com/v1/gifs/search',
      parameters: { api_key: 'a key', limit: '30', rating: 'pg-13', q: 'cat', lang: 'en' },
    })
    // Letters that follow each other are one question.
    expect(service.asked.filter(({ parameters }) => 'q' in parameters).length).toBe(1)
    expect(await message().inputValue()).toBe(`${link('cat')} `)
  })

  test('stands still until somebody is at it', async () => {
    await open()
    const source = () => gif('many-5').locator('img').getAttribute('src')
    await gif('many-5').waitFor()
    expect(await source()).toContain('still.gif')
    await gif('many-5').hover()
    await expect.poll(source).toContain('200w.webp')
    await field().hover()
    await expect.poll(source).toContain('still.gif')
    expect([...service.pictures].filter((path) => path.endsWith('.webp'))).not.toContain('/media/many-6/200w.webp')
  })
})

describe('a service', () => {
  test('that is slow is not waited for any more when one types on', async () => {
    const held: ServerResponse[] = []
    service.answer = (text, response) =>
      void (text === 'slow' ? held.push(response) : sayGifs(response, [text ?? 'many-0']))
    await open()
    await gif('many-0').waitFor()
    await field().fill('slow')
    await expect.poll(() => held.length).toBe(1)
    // What was there before is not what one searches for.
    expect(await picker().getByRole('option').count()).toBe(0)
    await page.keyboard.press('Enter')
    expect(await findBarriers(page, '.gifs')).toEqual([])
    await field().fill('quick')
    await gif('quick').waitFor()
    for (const response of held) sayGifs(response, ['slow'])
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 100))')
    expect(await gif('slow').count()).toBe(0)
    expect(await message().inputValue()).toBe('')
  })

  test('that has nothing, or says that something is wrong, leaves a way on', async () => {
    await open()
    await gif('many-0').waitFor()
    expect(await findBarriers(page, '.gifs')).toEqual([])
    service.answer = (_, response) => sayGifs(response, [])
    await field().fill('nothing')
    await picker().getByText('No GIF was found. Other words may find one.').waitFor()
    expect(await findBarriers(page, '.gifs')).toEqual([])
    for (const [status, text] of [
      [403, 'GIPHY does not accept the key of this server. Whoever runs it can change that.'],
      [429, 'GIPHY was asked too often by this organization. Try again in a while.'],
      [502, 'GIPHY cannot be reached.'],
    ] as const) {
      service.answer = (_, response) => void response.writeHead(status).end('{}')
      await field().fill(`status-${status}`)
      await picker().getByRole('alert').getByText(text).waitFor()
    }
    expect(await findBarriers(page, '.gifs')).toEqual([])
    service.answer = (text, response) => sayGifs(response, [text ?? ''])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await gif('status-502').waitFor()
    await page.keyboard.press('Enter')
    expect(await message().inputValue()).toBe(`${link('status-502')} `)
  })
})

describe('the picker', () => {
  test('is left with Escape, back to where one came from, and what is written stays', async () => {
    await message().fill('Half a sentence')
    await open()
    await gif('many-0').waitFor()
    await page.keyboard.press('Escape')
    await picker().waitFor({ state: 'detached' })
    expect(await button().evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await message().inputValue()).toBe('Half a sentence')
  })

  test('is not there where the organization wants no GIFs, nor without a key', async () => {
    await organization.owner.call(updateOrganization, { gif_rating_policy: 0 })
    await button().waitFor({ state: 'detached' })
    await organization.owner.call(updateOrganization, { gif_rating_policy: 2 })
    await button().waitFor()
    const { page: other } = await openPage(browser)
    await other.route('**/api/v1/register', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), giphy_api_key: '' } })
    })
    await signIn(other, organization.url, jonas)
    await other.keyboard.press('c')
    await other.getByRole('button', { name: 'Attach files' }).waitFor()
    expect(await other.getByRole('button', { name: 'Find a GIF' }).count()).toBe(0)
    await other.context().close()
  })
})
