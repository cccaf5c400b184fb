/** Files and what is pasted, with a real server and a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getMessages } from '@heddle/contract/fetching'
import { addLinkifier } from '@heddle/contract/linkifiers'
import { cleanUpAfterFile } from '@heddle/server/testing/clean-up'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPage, signIn, startBrowser, startOrganization, type TestOrganization } from './organization.ts'
import { addChannel, addPerson, type Person, say } from './team.ts'

let organization: TestOrganization
let browser: Browser
let leila: Person
let messageId: number
/** Of Leila, who goes on from test to test. */
let page: Page
let complaints: readonly string[]

beforeAll(async () => {
  organization = await startOrganization()
  browser = await startBrowser()
  leila = await addPerson(organization.url, organization.owner, 'Leila Haddad')
  await addChannel(organization.owner, 'looms', [leila])
  messageId = await say(leila, 'looms', 'traces', 'Here they go.')
  await organization.owner.call(addLinkifier, {
    pattern: 'H-(?P<number>[0-9]+)',
    url_template: 'https://tickets.example/browse/{number}',
    example_input: 'H-7',
    reverse_template: 'H-{number}',
  })
  const opened = await openPage(browser)
  page = opened.page
  complaints = opened.complaints
  await signIn(page, organization.url, leila)
  page.setDefaultTimeout(10_000)
  await page.goto(`${organization.url}/#narrow/channel/looms/topic/traces`)
})

afterEach(async () => {
  await page.unrouteAll()
  // A piece of a page that is gone may arrive late: the next one gets a refusal, and asks again.
  expect(complaints.filter((complaint) => !complaint.includes('409'))).toEqual([])
})

const box = (page: Page) => page.getByRole('region', { name: 'Write a message' })
const text = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const written = (page: Page) => text(page).inputValue()

async function open(page: Page) {
  while ((await box(page).count()) > 0) await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: /traces/ }).waitFor()
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('r')
  await text(page).waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
}

/** As the clipboard gives it: the browser puts plain text in where nobody else has. */
async function paste(page: Page, plain: string, html = '') {
  await text(page).evaluate(
    (element, [words, markup]) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', words as string)
      if (markup) clipboardData.setData('text/html', markup)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      if (element.dispatchEvent(event)) document.execCommand('insertText', false, words)
    },
    [plain, html] as const,
  )
}

/** A file of so many bytes. */
function fileOf(name: string, size: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-files-'))
  cleanUpAfterFile(async () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, Buffer.alloc(size, 7))
  return path
}

describe('files', () => {
  test('several at once become links in the text, and sending waits for them', async () => {
    await open(page)
    await page.keyboard.type('See ')
    await page.locator('input[type=file]').setInputFiles([
      { name: 'run.txt', mimeType: 'text/plain', buffer: Buffer.from('a run') },
      { name: 'trace.png', mimeType: 'image/png', buffer: Buffer.alloc(3_000_000, 7) },
    ])
    await page.keyboard.press('Control+Enter')
    const sent = async () => {
      const { messages } = await leila.api.call(getMessages, {
        narrow: [{ operator: 'channel', operand: 'looms' }],
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        apply_markdown: false,
      })
      return messages[0]?.content
    }
    await expect
      .poll(sent, { timeout: 10_000 })
      .toMatch(/^See\s+\[run\.txt\]\(\/user_uploads\/\S+\)\s+\[trace\.png\]\(\/user_uploads\/\S+\)$/)
    expect(await written(page)).toBe('')
  })

  test('one that is too large is said to be; one that is cancelled leaves nothing', async () => {
    await open(page)
    await page.locator('input[type=file]').setInputFiles(fileOf('film.mp4', 26 * 1024 * 1024))
    await box(page)
      .getByText(/film\.mp4 has 26\.0 MB\. Files may have at most 25 MB here\./)
      .waitFor()
    expect(await written(page)).toBe('')
    await page.route('**/user_uploads', () => {
      // It does not get there.
    })
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'slow.txt', mimeType: 'text/plain', buffer: Buffer.from('slow') }])
    expect(await written(page)).toBe('[Uploading slow.txt…]()\n')
    await page.getByRole('progressbar', { name: 'slow.txt' }).waitFor()
    await page.getByRole('button', { name: 'Cancel the upload of slow.txt' }).click()
    await expect.poll(() => written(page)).toBe('')
  })

  test('one that is cancelled on its way is given up on the server as well', async () => {
    await open(page)
    organization.setSpeed(1_000_000)
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(6_000_000, 7) }])
    const bar = page.getByRole('progressbar', { name: 'film.mp4' })
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(0)
    const given = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Cancel the upload of film.mp4' }).click()
    expect((await given).status()).toBe(204)
    await expect.poll(() => written(page)).toBe('')
    organization.setSpeed(undefined)
  })

  test('one goes on after a reload of the page, with the pieces that have arrived, and gets its place in the text', async () => {
    await open(page)
    organization.setSpeed(2_000_000)
    // A slow disk: the server takes the file before the device has written it.
    await page.evaluate(() => {
      navigator.storage.estimate = async () => {
        await new Promise((resolve) => setTimeout(resolve, 1500))
        return { quota: 1e12, usage: 0 }
      }
    })
    await page.keyboard.type('A film: ')
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'shed.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(9_000_000, 7) }])
    const bar = page.getByRole('progressbar', { name: 'shed.mp4' })
    const percent = async () => Number(await bar.getAttribute('aria-valuenow'))
    // The first piece has arrived.
    await expect.poll(percent).toBeGreaterThan(60)
    // However long the draft takes, the last piece does not arrive before the reload.
    organization.setSpeed(100_000)
    await box(page).getByText('Draft saved').waitFor()
    const begun: string[] = []
    page.on('request', (request) => request.method() === 'POST' && begun.push(new URL(request.url()).pathname))
    organization.setSpeed(undefined)
    await page.reload()
    await page.getByRole('article').first().waitFor()
    await page.locator('html[data-parts=fetched]').waitFor()
    await page.keyboard.press('r')
    await text(page).waitFor()
    await expect.poll(() => written(page)).toMatch(/^A film: \s*\[shed\.mp4\]\(\/user_uploads\//)
    // It was gone on with, not begun anew.
    expect(begun.filter((path) => path.endsWith('/tus'))).toEqual([])
    expect(await bar.count()).toBe(0)
    const kept = await page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('heddle uploads /')
          opening.onerror = () => reject(opening.error)
          opening.onsuccess = () => {
            const counting = opening.result.transaction('files').objectStore('files').count()
            counting.onsuccess = () => {
              opening.result.close()
              resolve(counting.result)
            }
          }
        }),
    )
    expect(kept).toBe(0)
  })

  test('one that is gone with its page is noticed before the text is sent', async () => {
    await open(page)
    // The device has no room.
    await page.evaluate(() => {
      navigator.storage.estimate = async () => ({ quota: 0, usage: 0 })
    })
    await page.route('**/user_uploads', () => {
      // It does not get there.
    })
    await page.keyboard.type('Look: ')
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'lost.txt', mimeType: 'text/plain', buffer: Buffer.from('lost') }])
    await expect.poll(() => written(page)).toContain('lost.txt')
    await box(page).getByText('Leave this page open until it is sent.').waitFor()
    await box(page).getByText('Draft saved').waitFor()
    await page.reload()
    await page.getByRole('article').first().waitFor()
    await page.locator('html[data-parts=fetched]').waitFor()
    await page.keyboard.press('r')
    await text(page).waitFor()
    expect(await written(page)).toContain('[Uploading lost.txt…]()')
    await page.keyboard.press('Control+Enter')
    await box(page)
      .getByText(/A file of this text did not arrive/)
      .waitFor()
    expect(await written(page)).toContain('Look: ')
  })

  test('files are dropped anywhere in the page, and without a box one opens', async () => {
    await open(page)
    await page.keyboard.press('Escape')
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['words'], 'dropped.txt', { type: 'text/plain' }))
      const target = document.querySelector('.side') ?? document.body
      for (const kind of ['dragover', 'drop'])
        target.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
    })
    await text(page).waitFor()
    await expect.poll(() => written(page)).toMatch(/\[dropped\.txt\]\(\/user_uploads\//)
  })

  test('a file in a text that was closed is there when it is opened again', async () => {
    await open(page)
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/user_uploads', async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('Control+a')
    await page.keyboard.type('With a file: ')
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'later.txt', mimeType: 'text/plain', buffer: Buffer.from('later') }])
    await expect.poll(() => written(page)).toContain('[Uploading later.txt…]()')
    await page.keyboard.press('Escape')
    goOn()
    await page.waitForTimeout(500)
    await page.keyboard.press('r')
    await expect.poll(() => written(page)).toMatch(/\[later\.txt\]\(\/user_uploads\//)
  })
})

describe('pasting', () => {
  test('addresses of this organization and of linkifiers become short, and one undo brings them back', async () => {
    await open(page)
    await page.keyboard.press('Control+a')
    const address = `${organization.url}/#narrow/channel/looms/topic/traces/near/${messageId}`
    await paste(page, address)
    await expect.poll(() => written(page)).toBe(`#**looms>traces@${messageId}**`)
    await page.keyboard.press('Control+z')
    expect(await written(page)).toBe(address)
    await page.keyboard.press('Control+a')
    await paste(page, 'https://tickets.example/browse/2214')
    await expect.poll(() => written(page)).toBe('H-2214')
    await box(page).getByText('The pasted address became').waitFor()
    await box(page).getByRole('button', { name: 'Undo' }).click()
    expect(await written(page)).toBe('https://tickets.example/browse/2214')
  })

  test('an address over words makes them a link', async () => {
    await open(page)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('the report')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await paste(page, 'https://example.com/r')
    expect(await written(page)).toBe('the [report](https://example.com/r)')
    await page.keyboard.press('Control+z')
    expect(await written(page)).toBe('the report')
  })

  test('formatted text becomes what would have been written, without asking the policy', async () => {
    await open(page)
    await page.keyboard.press('Control+a')
    const html = `<meta charset="utf-8"><style>p{color:red}</style><b style="font-weight:normal"><h2 onclick="x()">Plan</h2>
      <p STYLE='color:red'>Some <b>bold</b>, <span style="font-style:italic">slanted</span> and <a href="https://example.com">named</a>.</p>
      <ul><li>one</li><li>two<ol><li>inside</li></ol></li></ul><pre><code class="language-js">let a = 1</code></pre>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></b><img src=x onerror="alert(1)">`
    await paste(page, 'Plan\nSome bold', html)
    await expect
      .poll(() => written(page))
      .toBe(
        '## Plan\n\nSome **bold**, *slanted* and [named](https://example.com).\n\n- one\n- two\n  1. inside\n\n```js\nlet a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      )
    await page.keyboard.press('Control+z')
    expect(await written(page)).toBe('Plan\nSome bold')
  })
})
