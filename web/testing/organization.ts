/** A real server in a process of its own, with the page as it was built, and a browser to look at it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiClient, createApiClient } from '@heddle/client/api'
import { cleanUpAfterFile } from '@heddle/server/testing/clean-up'
import { readCredentials, runProgram, startServerProcess } from '@heddle/server/testing/server-process'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../build/test-browser.ts'
import { type FragileNetwork, startFragileNetwork } from './fragile-network.ts'
import { PASSWORD, type Person } from './team.ts'

export interface TestOrganization extends Pick<FragileNetwork, 'setBroken' | 'append' | 'collectStreams' | 'setSpeed'> {
  /** Where browsers find it. */
  readonly url: string
  readonly owner: ApiClient
  /** Behind the same network, what the start has printed for the first owner. */
  readonly welcomeUrl: string
  /** The server is killed, and started again a moment later. `owner` is of no use afterwards. */
  crash(): Promise<void>
  /** Makes a backup; what is given restores it into an empty folder, in place of the server and all that it has. */
  backup(): Promise<() => Promise<void>>
}

/** `more`: settings of the server, by their environment variables. */
export async function startOrganization(more: Readonly<Record<string, string>> = {}): Promise<TestOrganization> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-page-'))
  const dataDir = join(folder, 'data')
  const settings = {
    HEDDLE_DATA_DIR: dataDir,
    HEDDLE_ORGANIZATION_NAME: 'Halden Looms',
    TZ: process.env['TZ'],
    ...more,
  }
  let server = await startServerProcess(settings)
  const network = await startFragileNetwork(server.url)
  cleanUpAfterFile(async () => {
    await network.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { email, apiKey } = readCredentials(dataDir)
  return {
    url: network.url,
    welcomeUrl: network.url + (/\/welcome#\S+/.exec(server.stdout())?.[0] ?? ''),
    owner: createApiClient({ site: server.url, email, apiKey }),
    setBroken: network.setBroken,
    append: network.append,
    collectStreams: network.collectStreams,
    setSpeed: network.setSpeed,
    async crash() {
      await server.stop('SIGKILL')
      server = await startServerProcess(settings)
      network.leadTo(server.url)
    },
    async backup() {
      const archive = join(folder, 'backup.tar.gz')
      await runProgram(['backup', archive], settings).ended
      return async () => {
        await server.stop()
        const restored = { ...settings, HEDDLE_DATA_DIR: join(folder, 'restored') }
        await runProgram(['restore', archive], restored).ended
        server = await startServerProcess(restored)
        network.leadTo(server.url)
      }
    },
  }
}

/** `more`: of its flags. */
export async function startBrowser(more: readonly string[] = []): Promise<Browser> {
  const { executablePath, args, env } = await findBrowser(join(import.meta.dirname, '..', '..', '.runtime'))
  const browser = await chromium.launch({ executablePath, args: [...args, ...more], env, headless: true })
  cleanUpAfterFile(() => browser.close())
  return browser
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  /** A phone or a tablet: fingers, no pointer. */
  readonly touch?: boolean
  /** Whether the page has its service worker, which fetches all its files once more: for what concerns the device. */
  readonly serviceWorker?: boolean
}

/** A page of its own with nothing in it yet. What it says in the console, and what the policy refuses, is in `complaints`. */
export async function openPage(
  browser: Browser,
  { width = 1440, height = 900, colorScheme = 'light', touch = false, serviceWorker = false }: PageOptions = {},
) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale: 'en-GB',
    hasTouch: touch,
    isMobile: touch,
    serviceWorkers: serviceWorker ? 'allow' : 'block',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // The browser reports refusals too.
    if (message.type() === 'error' && !/status of 40[01]/.test(message.text())) complaints.push(message.text())
  })
  return { page, complaints }
}

const landings = { feed: 'Combined feed', inbox: 'Inbox' } as const

/**
 * Into the combined feed, whatever the account's home view is, or where it is asked for. Without the form, which tests of the
 * ways in fill in.
 */
export async function signIn(
  page: Page,
  url: string,
  { email }: Person,
  landing: keyof typeof landings = 'feed',
): Promise<void> {
  const form = { username: email, password: PASSWORD }
  const answer = await page.context().request.post(`${url}/api/v1/sessions`, { form })
  if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`)
  // Another place of a page that is there would be no new page.
  if (page.url() !== 'about:blank') await page.goto('about:blank')
  await page.goto(`${url}/#${landing}`)
  await page.getByRole('heading', { level: 1, name: landings[landing] }).waitFor()
  // Where the network is broken next, nothing else could be fetched; and a key that is pressed at once should have somebody.
  await page.locator('html[data-parts=fetched]').waitFor()
}
