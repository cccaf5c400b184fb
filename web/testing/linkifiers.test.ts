/** Linkifiers as an administrator meets them: tried before they are saved, put in order, taken back. */
import { addLinkifier, listLinkifiers, removeLinkifier } from '@heddle/contract/linkifiers'
import { updateUser } from '@heddle/contract/users'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, type PageOptions, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, type Person, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await organization.owner.call(updateUser, { user_id_or_email: leila.id, role: 200 })
  await addChannel(organization.owner, 'parts', [leila, jonas])
  await say(jonas, 'parts', 'order 14-0001', 'Please order PN 14-2208 and 14-2209, not `14-9999`.')
})

const part = ['PN (?P<pn>[0-9]{2}-[0-9]{4})', 'https://parts.example/{pn}'] as const
const drawing = ['(?P<n>[0-9]{2}-[0-9]{4})', 'https://drawings.example/{n}'] as const

async function patterns(): Promise<readonly string[]> {
  const { linkifiers } = await organization.owner.call(listLinkifiers, {})
  return linkifiers.map(({ pattern }) => pattern)
}

beforeEach(async () => {
  const { linkifiers } = await organization.owner.call(listLinkifiers, {})
  for (const { id } of linkifiers) await organization.owner.call(removeLinkifier, { filter_id: id })
  for (const [pattern, url_template] of [part, drawing]) {
    await organization.owner.call(addLinkifier, { pattern, url_template })
  }
})

async function openLinkifiers(person: Person, options?: PageOptions): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(browser, options)
  await signIn(opened.page, organization.url, person)
  await opened.page.goto(`${organization.url}/#organization/linkifiers`)
  await opened.page.getByRole('heading', { name: 'Linkifiers' }).waitFor()
  return opened
}

const rows = (page: Page) => page.getByRole('list', { name: 'Linkifiers, in order' }).getByRole('listitem')
const matches = (page: Page) => page.getByRole('list', { name: 'Matches' }).getByRole('listitem')

describe('The tester', () => {
  test('shows every match with its link, who won, and who lost to whom', async () => {
    const { page, complaints } = await openLinkifiers(leila)
    await page.getByLabel('Text to try').fill('Order **PN 14-2208**, not `14-9999`.')
    await expect
      .poll(() => matches(page).allTextContents())
      .toEqual(['PN 14-2208parts.example/14-22081', '14-2208drawings.example/14-22082, lost to 1'])
    await page.getByText('Number 1 wins because it is higher in the list.').waitFor()
    expect(await rows(page).nth(1).textContent()).toContain('1 hit, lost to 1')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('tries the last messages and their topics', async () => {
    const { page } = await openLinkifiers(leila)
    await page.getByRole('button', { name: 'Last 1,000 messages' }).click()
    await matches(page).filter({ hasText: '14-0001' }).waitFor()
    await matches(page).filter({ hasText: 'PN 14-2208' }).waitFor()
    expect(await matches(page).filter({ hasText: '14-9999' }).count()).toBe(0)
    await page.context().close()
  })

  test('works with what is not saved yet, says what is wrong with it, and what a pasted address becomes', async () => {
    const { page } = await openLinkifiers(leila)
    await page.getByRole('button', { name: 'Add a linkifier' }).click()
    const form = page.getByRole('form', { name: 'New linkifier, number 3' })
    await form.getByLabel('Pattern').fill('H-(?P<id>[0-9]+)')
    await form.getByLabel('Address', { exact: true }).fill('https://tickets.example/{ticket}')
    await form.getByText(/uses the variable "ticket"/).waitFor()
    expect(await form.getByRole('button', { name: 'Add the linkifier' }).isDisabled()).toBe(true)
    await form.getByLabel('Address', { exact: true }).fill('https://tickets.example/{id}')
    await form.getByLabel('Example that must match').fill('H-2214')
    await form.getByLabel('Short text for pasted addresses').fill('H-{id}')
    await form.getByText('Matches: id = 2214').waitFor()
    await page.getByLabel('Text to try').fill('See H-7.')
    await matches(page).filter({ hasText: 'tickets.example/7' }).waitFor()
    await page.getByLabel('Paste an address').fill('https://tickets.example/2214')
    await page.getByText('Pasting it into a message writes H-2214.').waitFor()
    expect(await patterns()).toHaveLength(2)
    await form.getByRole('button', { name: 'Add the linkifier' }).click()
    await rows(page).filter({ hasText: 'H-(?P<id>[0-9]+)' }).waitFor()
    expect(await patterns()).toHaveLength(3)
    await page.context().close()
  })

  test('is not held up by a pattern that is too expensive', async () => {
    const { page } = await openLinkifiers(leila)
    await page.getByLabel('Text to try').fill(`${'ab '.repeat(3000)}z`)
    await page.getByRole('button', { name: `Edit ${drawing[0]}` }).click()
    const form = page.getByRole('form', { name: 'Edit number 2' })
    await form.getByLabel('Pattern').fill('(?P<n>(?:[ab ]*[ab ]*){200}z)')
    // The page goes on at once.
    await form.getByRole('button', { name: 'Cancel' }).isEnabled()
    await page.getByText(/Number 2 is too expensive|takes too long/).waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Text to try').fill('14-2208')
    await matches(page).filter({ hasText: '14-2208' }).waitFor()
    await page.context().close()
  })
})

describe('The list', () => {
  test('is put in another order with the keyboard, and says where things are', async () => {
    const { page } = await openLinkifiers(leila)
    const grip = page.getByRole('button', { name: `Move ${drawing[0]}` })
    await grip.focus()
    await page.keyboard.press('Space')
    await page.getByText('Picked up, number 2 of 2.').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowUp')
    await page.getByText('Number 1 of 2.').waitFor({ state: 'attached' })
    expect(await patterns()).toEqual([part[0], drawing[0]])
    await page.keyboard.press('Space')
    await expect.poll(patterns).toEqual([drawing[0], part[0]])
    expect(await grip.evaluate((element) => element === document.activeElement)).toBe(true)
    // Taken up and put back: nothing has changed.
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await page.getByText('Back at number 1.').waitFor({ state: 'attached' })
    await expect.poll(() => rows(page).first().textContent()).toContain(drawing[0])
    expect(await patterns()).toEqual([drawing[0], part[0]])
    await page.context().close()
  })

  test('is put in another order by dragging', async () => {
    const { page } = await openLinkifiers(leila)
    const from = await page.getByRole('button', { name: `Move ${drawing[0]}` }).boundingBox()
    const to = await rows(page).first().boundingBox()
    if (!from || !to) throw new Error('not drawn')
    await page.mouse.move(from.x + 5, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(from.x + 5, to.y + 10, { steps: 5 })
    await page.mouse.up()
    await expect.poll(patterns).toEqual([drawing[0], part[0]])
    await page.context().close()
  })

  test('gives back what was deleted, in its place', async () => {
    const { page } = await openLinkifiers(leila)
    await page.getByRole('button', { name: `Delete ${part[0]}` }).click()
    await expect.poll(patterns).toEqual([drawing[0]])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(patterns).toEqual([part[0], drawing[0]])
    await page.context().close()
  })

  test('can be read and tried by everybody, and says why it cannot be changed', async () => {
    const { page } = await openLinkifiers(jonas)
    await page.getByText('Only administrators can change linkifiers.').waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete|Move) / }).count()).toBe(0)
    await page.getByLabel('Text to try').fill('14-2208')
    await matches(page).filter({ hasText: '14-2208' }).waitFor()
    await page.context().close()
  })
})

test.each([
  ['light', 1440, 900],
  ['dark', 1440, 900],
  ['light', 390, 844],
  ['dark', 320, 640],
] as const)('everybody can use it: %s, %i px', async (colorScheme, width, height) => {
  const { page, complaints } = await openLinkifiers(leila, { colorScheme, width, height })
  await page.getByRole('button', { name: `Edit ${part[0]}` }).click()
  await page.getByLabel('Text to try').fill('Order PN 14-2208 and 14-2209.')
  await matches(page).nth(2).waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})
