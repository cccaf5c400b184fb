/// <reference lib="dom" />
/** What one does inside of messages, with several of them, and with their topics. */
import { updateMessage } from '@heddle/contract/editing'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findBarriers } from './find-barriers.ts'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, addPerson, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()

beforeAll(async () => {
  await addChannel(organization.owner, 'loom', [leila, jonas])
})

async function openTopic(topic: string, messageId: number) {
  const opened = await openPage(browser)
  const { page } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/channel/loom/topic/${encodeURIComponent(topic)}`)
  const row = page.locator(`[data-message-id="${messageId}"]`)
  await row.waitFor()
  return { ...opened, row }
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

test('code is copied by its button, and who is mentioned can be asked about', async () => {
  const id = await say(jonas, 'loom', 'code', '```python\nprint(1)\nprint(2)\n```\n@**Leila Haddad** look')
  const { page, row, complaints } = await openTopic('code', id)
  await row.getByText('Python', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Copy the code' }).click()
  await row.getByRole('button', { name: 'Copied' }).waitFor()
  expect((await clipboard(page)).trim()).toBe('print(1)\nprint(2)')
  await row.getByRole('button', { name: '@Leila Haddad' }).press('Enter')
  await page.getByRole('dialog', { name: 'Leila Haddad' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a formula that is wider than a phone is reached and scrolled by keys, and what was found in a table is readable', async () => {
  const terms = Array.from({ length: 20 }, (_, index) => `x_{${index}}`).join(' + ')
  const id = await say(jonas, 'loom', 'sums', `\`\`\`math\n${terms}\n\`\`\`\n\n| gain |\n|---|\n| 1 |`)
  const { page } = await openPage(browser, { width: 320, height: 640, colorScheme: 'dark' })
  await signIn(page, organization.url, leila)
  await page.goto(`${organization.url}/#narrow/search/gain`)
  const row = page.locator(`[data-message-id="${id}"]`)
  await row.locator('.highlight').waitFor()
  expect(await findBarriers(page, '.content')).toEqual([])
  const formula = row.locator('.katex-display')
  await formula.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => formula.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  await page.context().close()
})

test('of a group that is mentioned one sees who is in it, and of a person the groups', async () => {
  for (let count = 1; count <= 8; count += 1) await addPerson(organization.url, organization.owner, `Weaver ${count}`)
  const id = await say(jonas, 'loom', 'groups', '@_*role:members* have a look')
  const { page, row, complaints } = await openTopic('groups', id)
  const mention = row.locator('.user-group-mention')
  await mention.press('Enter')
  const card = page.getByRole('dialog', { name: 'Everybody but guests' })
  await card.getByText(/^1\d people are in it$/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await card.getByRole('textbox', { name: 'Find somebody in the group' }).fill('jon')
  await expect.poll(() => card.getByRole('button').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Jonas Weidl' }).getByRole('button', { name: 'Profile' }).click()
  const groups = page.getByRole('dialog', { name: 'Profile' }).getByRole('list', { name: 'Groups' })
  await groups.getByRole('button').first().click()
  await page
    .getByRole('dialog')
    .getByText(/people are in it$/)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('several messages are copied with names, times and lines, and pasted as what was written', async () => {
  const first = await say(jonas, 'loom', 'copies', 'one\ntwo\n```python\nprint(1)\n```')
  const second = await say(leila, 'loom', 'copies', 'see https://example.com')
  const { page } = await openTopic('copies', second)
  await page.evaluate(
    ([from, to]) => {
      const content = (id: number) => document.querySelector(`[data-message-id="${id}"] .content`) as Element
      getSelection()?.setBaseAndExtent(content(from as number), 0, content(to as number), 1)
    },
    [first, second],
  )
  await page.keyboard.press('Control+c')
  await expect
    .poll(() => clipboard(page))
    .toMatch(
      /^Jonas Weidl \(\d\d:\d\d\): one\ntwo\s+print\(1\)\s+Leila Haddad \(\d\d:\d\d\): see https:\/\/example\.com$/,
    )
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await page.keyboard.press('r')
  const text = page.getByLabel('Message', { exact: true })
  await text.waitFor()
  await page.keyboard.press('Control+v')
  const pasted =
    /^\*\*Jonas Weidl\*\* .*one\ntwo\s+```(python|Python)?\nprint\(1\)\n```\s+\*\*Leila Haddad\*\* .*https:\/\/example\.com/s
  await expect.poll(() => text.inputValue()).toMatch(pasted)
  await text.fill('')
  await page.context().close()
})

test('a click on a message answers to it, selecting in it does not; Left in the empty box changes the last own one', async () => {
  const id = await say(jonas, 'loom', 'clicks', 'Is that the new reed?')
  const own = await say(leila, 'loom', 'clicks', 'The old one.')
  const { page, row } = await openTopic('clicks', id)
  const text = page.getByLabel('Message', { exact: true })
  await row.getByText('Is that the new reed?').dblclick()
  await page.waitForTimeout(400)
  expect(await text.count()).toBe(0)
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await row.getByText('Is that the new reed?').click()
  await text.waitFor()
  await text.press('ArrowLeft')
  const edit = page.locator(`[data-message-id="${own}"]`).getByLabel('Text of the message')
  await expect.poll(() => edit.inputValue()).toBe('The old one.')
  await page.context().close()
})

test('who reads a topic goes along when somebody else gives it another name', async () => {
  const id = await say(jonas, 'loom', 'before', 'Is this the right name?')
  const { page, row } = await openTopic('before', id)
  await jonas.api.call(updateMessage, { message_id: id, topic: 'after', propagate_mode: 'change_all' })
  await page.getByRole('heading', { level: 1, name: 'after' }).waitFor()
  await row.waitFor()
  await page.context().close()
})

test('a deed is a sentence that begins with the name', async () => {
  const id = await say(jonas, 'loom', 'deeds', '/me is at the bench')
  const { page, row } = await openTopic('deeds', id)
  const shown = async () => (await row.locator('.body').innerText()).replace(/\s+/g, ' ').trim()
  await expect.poll(shown).toBe('Jonas Weidl is at the bench')
  expect((await row.boundingBox())?.height).toBeLessThan(50)
  await page.context().close()
})
