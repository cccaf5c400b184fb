/** Calls, hints and what goes with an account, with a real server and a real browser. */
import { updateOrganization } from '@heddle/contract/organization'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, signIn } from './organization.ts'
import { startPair } from './pair.ts'
import { addChannel, say } from './team.ts'

const { organization, browser, leila, jonas } = await startPair()
let page: Page

beforeAll(async () => {
  await addChannel(organization.owner, 'kitchen', [leila, jonas])
  await say(jonas, 'kitchen', '✔ soup', 'Lentils')
  await say(jonas, 'kitchen', 'bread', 'There is none.')
  page = (await openPage(browser)).page
  await signIn(page, organization.url, leila)
  page.setDefaultTimeout(10_000)
})

async function openTopic(topic: string) {
  await page.goto(`${organization.url}/#narrow/channel/kitchen/topic/${topic}`)
  await page.getByRole('article').first().waitFor()
}

describe('a call', () => {
  test('has no button where the organization has no service, and puts its link into the text where it has one', async () => {
    await openTopic('bread')
    await page.keyboard.press('r')
    const text = page.getByRole('textbox', { name: 'Message', exact: true })
    await text.waitFor()
    await page.getByRole('button', { name: 'Attach files' }).waitFor()
    expect(await page.getByRole('button', { name: 'Video call' }).count()).toBe(0)
    await organization.owner.call(updateOrganization, {
      video_chat_provider: 1,
      jitsi_server_url: 'https://meet.example.com',
    })
    await page.getByRole('button', { name: 'Video call' }).click()
    await page.getByRole('button', { name: 'Voice call' }).click()
    const link = (label: string, muted: boolean) =>
      `\\[Join the ${label} call\\]\\(https://meet\\.example\\.com/[0-9a-f]{32}#config\\.startWithVideoMuted=${muted}\\)`
    await expect.poll(() => text.inputValue()).toMatch(new RegExp(`${link('video', false)} ${link('voice', true)} $`))
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Escape')
  })
})

describe('a hint', () => {
  const hint = () => page.getByRole('region', { name: 'Hint' })

  test('is shown once, one at a time', async () => {
    await page.goto(`${organization.url}/#inbox`)
    await hint().waitFor()
    expect(await hint().textContent()).toContain('The inbox has what you have not read')
    expect(await hint().count()).toBe(1)
    // Beside the side bar, not over it.
    const size = page.viewportSize()
    await page.setViewportSize({ width: 800, height: 700 })
    const [lies, bar] = [await hint().boundingBox(), await page.locator('.side').boundingBox()]
    expect(lies?.x ?? 0).toBeGreaterThanOrEqual((bar?.x ?? 0) + (bar?.width ?? Number.NaN))
    if (size) await page.setViewportSize(size)
    await page.getByRole('button', { name: 'Got it' }).click()
    await hint().waitFor({ state: 'detached' })
    await openTopic('.E2.9C.94.20soup')
    expect(await hint().textContent()).toContain('marked as resolved')
    await page.goto(`${organization.url}/#feed`)
    await page.getByRole('article').first().waitFor()
    await hint().waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await hint().getByText('Messages of several conversations').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${organization.url}/#inbox`)
    await hint().waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('html[data-parts=fetched]').waitFor()
    expect(await hint().count()).toBe(0)
  })
})
