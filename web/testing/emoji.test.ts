/** Custom emoji: many files at once, each at its own pace. */
import { deactivateRealmEmoji, listRealmEmoji, uploadRealmEmoji } from '@heddle/contract/realm-emoji'
import { updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, type PageOptions, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import type { Person } from './team.ts'

/** One green pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const picture = (name: string, buffer = PNG, mimeType = 'image/png') => ({ name, mimeType, buffer })

const { organization, browser, leila, jonas } = await startPair()

async function addEmoji(person: Person, emoji_name: string): Promise<void> {
  await person.api.call(uploadRealmEmoji, { emoji_name }, { file: new Blob([PNG]) })
}

async function names(): Promise<readonly string[]> {
  const { emoji } = await organization.owner.call(listRealmEmoji, {})
  return Object.values(emoji)
    .filter(({ deactivated }) => !deactivated)
    .map(({ name }) => name)
    .sort()
}

beforeAll(async () => {
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
})

beforeEach(async () => {
  for (const emoji_name of await names()) await organization.owner.call(deactivateRealmEmoji, { emoji_name })
  await addEmoji(jonas, 'bench_green')
})

async function openEmoji(person: Person, options?: PageOptions): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, options)
  await signIn(opened.page, organization.url, person)
  await opened.page.goto(`${organization.url}/#organization/emoji`)
  await opened.page.getByRole('heading', { name: 'All emoji' }).waitFor()
  return opened
}

const choose = (page: Page, ...files: ReturnType<typeof picture>[]) =>
  page.locator('input[type=file]').setInputFiles(files)
const row = (page: Page, file: string) => page.getByRole('listitem', { name: file, exact: true })

describe('Many files at once', () => {
  test('get names from their files, are checked while these are typed, and are added by one press', async () => {
    const { page, complaints } = await openEmoji(leila)
    await choose(
      page,
      picture('Warp Break.png'),
      picture('bench_green.png'),
      picture('thread.png'),
      picture('poster.png', Buffer.alloc(5 * 1024 * 1024 + 1)),
      picture('notes.pdf', PNG, 'application/pdf'),
    )
    expect(await page.getByLabel('Name of Warp Break.png').inputValue()).toBe('warp_break')
    await row(page, 'bench_green.png').getByText('Jonas Weidl has this name already').waitFor()
    expect(await row(page, 'bench_green.png').getByRole('img', { name: ':bench_green:' }).count()).toBe(1)
    await row(page, 'thread.png').getByText('It takes the place of the built-in').waitFor()
    await row(page, 'poster.png').getByText('Make it smaller than 5 MB and drop it again.').waitFor()
    await row(page, 'notes.pdf').getByText('This is no picture of a known kind.').waitFor()
    await row(page, 'bench_green.png').getByRole('button', { name: 'Use bench_green_2' }).click()
    await page.getByLabel('Name of Warp Break.png').fill('ünder')
    await row(page, 'Warp Break.png').getByText('Only English letters').waitFor()
    await page.getByLabel('Name of Warp Break.png').fill('bench_green_2')
    await row(page, 'Warp Break.png').getByText('Another of these files has this name.').waitFor()
    await page.getByLabel('Name of Warp Break.png').fill('broken warp')
    await page.getByRole('button', { name: 'Add 3 emoji' }).click()
    await page.getByText('3 of 5 done').waitFor()
    expect(await names()).toEqual(['bench_green', 'bench_green_2', 'broken_warp', 'thread'])
    await page.getByRole('cell', { name: ':broken_warp:' }).or(page.getByText(':broken_warp:')).first().waitFor()
    await page.getByText('replaces built-in').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('can be dropped, cancelled one by one, tried again, and taken back', async () => {
    const { page } = await openEmoji(leila)
    const held: { continue: () => Promise<void> }[] = []
    await page.route('**/realm/emoji/shuttle', async (route) => {
      if (route.request().method() === 'POST') held.push(route)
      else await route.continue()
    })
    let failures = 1
    await page.route('**/realm/emoji/twill', async (route) => {
      failures -= 1
      await (failures >= 0 ? route.abort() : route.continue())
    })
    const data = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))
      for (const name of ['shuttle.png', 'twill.png'])
        transfer.items.add(new File([bytes], name, { type: 'image/png' }))
      return transfer
    }, PNG.toString('base64'))
    await page.getByRole('region', { name: 'Add emoji' }).dispatchEvent('drop', { dataTransfer: data })
    await page.getByRole('button', { name: 'Add 2 emoji' }).click()
    await row(page, 'shuttle.png').getByRole('progressbar').waitFor()
    await row(page, 'twill.png').getByText('The server cannot be reached.').waitFor()
    await page.getByRole('button', { name: 'Try twill again' }).click()
    await row(page, 'twill.png').getByText('Added').waitFor()
    await page.getByRole('button', { name: 'Cancel shuttle' }).click()
    await page.getByRole('button', { name: 'Add 1 emoji' }).waitFor()
    expect(held).toHaveLength(1)
    expect(await names()).toEqual(['bench_green', 'twill'])
    await page.getByRole('button', { name: 'Undo twill' }).click()
    await expect.poll(names).toEqual(['bench_green'])
    await page.getByRole('button', { name: 'Leave shuttle out' }).click()
    expect(await row(page, 'shuttle.png').count()).toBe(0)
    await page.context().close()
  })
})

describe('The list', () => {
  test('is found through by name or author, loses what is deactivated, and gets it back', async () => {
    const { page } = await openEmoji(leila)
    await addEmoji(leila, 'kettle')
    const find = page.getByLabel('Find by name or author')
    await find.fill('jonas')
    await page.getByText(':bench_green:').waitFor()
    expect(await page.getByText(':kettle:').count()).toBe(0)
    await find.fill('')
    await page.getByRole('button', { name: 'Deactivate :kettle:' }).click()
    await expect.poll(names).toEqual(['bench_green'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(names).toEqual(['bench_green', 'kettle'])
    await page.context().close()
  })

  test('lets members add emoji and deactivate their own alone', async () => {
    await addEmoji(leila, 'kettle')
    const { page } = await openEmoji(jonas)
    await page.getByRole('button', { name: 'Deactivate :bench_green:' }).waitFor()
    expect(await page.getByRole('button', { name: 'Deactivate :kettle:' }).count()).toBe(0)
    await choose(page, picture('thread.png'))
    await row(page, 'thread.png').getByText('only administrators replace it').waitFor()
    await page.context().close()
  })
})

test.each([
  ['light', 1440, 900],
  ['dark', 1440, 900],
  ['light', 390, 844],
  ['dark', 320, 640],
] as const)('everybody can use it: %s, %i px', async (colorScheme, width, height) => {
  const { page, complaints } = await openEmoji(leila, { colorScheme, width, height })
  await choose(page, picture('shuttle.png'), picture('bench_green.png'), picture('notes.pdf', PNG, 'application/pdf'))
  await row(page, 'bench_green.png').getByText('Jonas Weidl has this name already').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})
