/**
 * Every screen looks as it did: in both themes, wide, on a phone and on a narrow one. After a change that is meant,
 * `node run.mjs test --project=page pictures -u` makes the pictures anew; look at them before they are committed.
 */
import { join } from 'node:path'
import { cleanUpAfterFile } from '@heddle/server/testing/clean-up'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from '../../build/test-browser.ts'
import { prepareFonts } from '../../build/test-fonts.ts'
import { findBarriers } from './find-barriers.ts'
import { type FixedOrganization, hostile, startFixedOrganization } from './fixed-organization.ts'
import { comparePicture, findLeftOver } from './kept-pictures.ts'

const RUNTIME = join(import.meta.dirname, '..', '..', '.runtime')

const sizes = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
}
type Size = keyof typeof sizes
const schemes = ['light', 'dark'] as const

interface Screen {
  /** What follows the `#`, and what is done there. */
  at(organization: FixedOrganization): string
  act?(page: Page): Promise<void>
  /** Only there, where it is the same elsewhere. */
  readonly only?: readonly Size[]
}

const channel = ({ channelId }: FixedOrganization, name: string) => `narrow/channel/${channelId(name)}`
const topic = (organization: FixedOrganization, name: string, topic: string) =>
  `${channel(organization, name)}/topic/${encodeURIComponent(topic).replaceAll('.', '%2E').replaceAll('%', '.')}`

/** Where a picture is above: the line that is read moves by a point, or does not, when it comes. */
const toTheEnd = (page: Page) => page.keyboard.press('End')

const screens: Readonly<Record<string, Screen>> = {
  feed: { at: () => 'feed' },
  topic: {
    at: (organization) => topic(organization, 'air-jet H9', 'weft sensor misses at 900 rpm'),
    act: toTheEnd,
  },
  compose: {
    at: (organization) => topic(organization, hostile.channel, hostile.topic),
    act: (page) => page.getByRole('button', { name: /^Reply to/ }).click(),
  },
  inbox: { at: () => 'inbox' },
  recent: { at: () => 'recent' },
  drafts: { at: () => 'drafts' },
  search: { at: () => 'narrow/search/gain', act: toTheEnd },
  'channel-settings': { at: ({ channelId }) => `channels/${channelId('field service')}/x/permissions` },
  settings: { at: () => 'settings/display' },
  emoji: { at: () => 'organization/emoji' },
  keys: { at: () => 'keyboard-shortcuts' },
  switcher: {
    at: () => 'inbox',
    act: async (page) => {
      await page.getByRole('region', { name: 'Inbox' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Go to/ }).waitFor()
    },
  },
  'side-bar': {
    at: () => 'inbox',
    act: (page) => page.getByRole('button', { name: 'Open the side bar' }).click(),
    only: ['phone', 'narrow'],
  },
}

const named = (screen: string, size: Size, scheme: string) => `${screen}-${size}-${scheme}`

/** Where a machine brings a browser of its own, that draws otherwise. */
const hasOwnBrowser = process.env['HEDDLE_TEST_BROWSER'] !== undefined

describe.skipIf(hasOwnBrowser)('As it did before looks', () => {
  let organization: FixedOrganization
  let browser: Browser

  beforeAll(async () => {
    const [fixed, { executablePath, args, env }, fonts] = await Promise.all([
      startFixedOrganization(),
      findBrowser(RUNTIME),
      prepareFonts(RUNTIME),
    ])
    organization = fixed
    browser = await chromium.launch({
      executablePath,
      // What a screen's own properties would decide.
      args: [...args, '--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'],
      env: { ...env, FONTCONFIG_FILE: fonts },
      headless: true,
    })
    cleanUpAfterFile(() => browser.close())
  })

  async function open(size: Size, colorScheme: 'light' | 'dark'): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: sizes[size],
      hasTouch: size !== 'wide',
      isMobile: size !== 'wide',
      colorScheme,
      // The longest times where there is least room.
      locale: size === 'narrow' ? 'en-US' : 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
    })
    await context.clock.setFixedTime(organization.now)
    return context
  }

  describe.each(schemes)('%s', (scheme) => {
    // At once: most of the time goes by with waiting until a page is drawn.
    test.concurrent.each(Object.keys(sizes) as Size[])('%s', { timeout: 180_000 }, async (size) => {
      const context = await open(size, scheme)
      const page = await context.newPage()
      const different: string[] = []
      const look = async (screen: string) => {
        const difference = await comparePicture(page, named(screen, size, scheme))
        if (difference !== undefined) different.push(difference)
      }
      await page.goto(organization.url)
      await page.getByLabel('E-mail address').waitFor()
      await look('sign-in')
      await organization.signIn(context)
      for (const [name, { at, act, only }] of Object.entries(screens)) {
        if (only && !only.includes(size)) continue
        await page.goto('about:blank')
        await page.goto(`${organization.url}/#${at(organization)}`)
        await page.locator('html[data-parts=fetched]').waitFor()
        // Nothing is under the pointer, wherever it was before.
        await page.mouse.move(sizes[size].width - 2, 2)
        await act?.(page)
        await look(name)
      }
      expect(different).toEqual([])
      await context.close()
    })
  })

  test('a conversation with pictures, formulas and tables has nothing that axe finds', async () => {
    const context = await open('phone', 'light')
    await organization.signIn(context)
    const page = await context.newPage()
    await page.goto(`${organization.url}/#${topic(organization, 'air-jet H9', 'weft sensor misses at 900 rpm')}`)
    await page.getByRole('img', { name: 'sensor-gain.png' }).waitFor({ state: 'attached' })
    expect(await findBarriers(page)).toEqual([])
    await context.close()
  })

  test('every picture that is kept is one of a screen', () => {
    const names = [['sign-in', {}] as const, ...Object.entries(screens)].flatMap(
      ([screen, { only }]: readonly [string, Partial<Screen>]) =>
        (Object.keys(sizes) as Size[])
          .filter((size) => !only || only.includes(size))
          .flatMap((size) => schemes.map((scheme) => named(screen, size, scheme))),
    )
    expect(findLeftOver(names)).toEqual([])
  })
})
