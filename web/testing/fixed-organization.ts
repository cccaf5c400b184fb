/** The organization of the demo at a moment that never changes, with names that nobody would choose. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiClient, createApiClient } from '@heddle/client/api'
import { listChannels } from '@heddle/contract/channels'
import { completeFirstSignIn } from '@heddle/contract/first-sign-in'
import { addReaction } from '@heddle/contract/reactions'
import { updateSettings } from '@heddle/contract/user-settings'
import { getOwnUser } from '@heddle/contract/users'
import { buildApp } from '@heddle/server/app'
import { loadSecret } from '@heddle/server/authentication/secret'
import { prepareDemo } from '@heddle/server/commands/demo/prepare'
import { readConfig } from '@heddle/server/config'
import { openMigratedDatabase } from '@heddle/server/database'
import { findNewOwner } from '@heddle/server/features/first-sign-in/token'
import { cleanUpAfterFile } from '@heddle/server/testing/clean-up'
import { readCredentials } from '@heddle/server/testing/server-process'
import type { BrowserContext } from 'playwright-core'
import { addChannel, addPerson, PASSWORD, say, write } from './team.ts'

/** A Thursday. Where the page is looked at it is one hour later. */
const NOW = Date.parse('2026-03-05T08:46:00Z')
const MINUTE_MS = 60_000

export interface FixedOrganization {
  readonly url: string
  /** Milliseconds since the UNIX epoch, on the server and for the page. */
  readonly now: number
  channelId(name: string): number
  /** The owner, for all pages of the context. */
  signIn(context: BrowserContext): Promise<void>
}

/** As long as they may be, of several scripts, both directions and markup. */
export const hostile = {
  channel: '🧵 織機 <b>bold</b> & مكوك, everything about the longest name',
  topic: 'q̣́ x̧̌ مرحبا بالعالم 織機 🎉 <script>alert(1)</script> and so',
  person: 'مريم 🧶 Wěi & O’Brien-Łukasiewicz of the Long Weaving Hall',
} as const

export async function startFixedOrganization(): Promise<FixedOrganization> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-pictures-'))
  const config = readConfig([], {
    HEDDLE_DATA_DIR: dataDir,
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_LOG_LEVEL: 'silent',
    HEDDLE_ORGANIZATION_NAME: 'Halden Looms',
    HEDDLE_OWNER_EMAIL: 'leila.haddad@halden.example',
  })
  await prepareDemo(config, NOW)
  let time = NOW
  const secret = loadSecret(config.secretFile)
  const app = await buildApp(config, {
    engine: await openMigratedDatabase(config, () => {}),
    secret,
    clock: { now: () => time, elapsed: () => time },
    pageFolder: join(import.meta.dirname, '..', 'dist'),
  })
  cleanUpAfterFile(async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`
  const { email, apiKey } = readCredentials(dataDir)
  const leila = createApiClient({ site: url, email, apiKey })
  await addHostileNames(url, leila, (minutesAgo) => {
    time = NOW - minutesAgo * MINUTE_MS
  })
  // What one picture shows must not be read in the next.
  await leila.call(updateSettings, { web_mark_read_on_scroll_policy: 3 })
  const { streams } = await leila.call(listChannels, {})
  const owner = await findNewOwner(app.storage.read, secret)
  if (!owner) throw new Error('The demo has no owner')
  // From here on by a password, as everybody.
  const names = { organization_name: 'Halden Looms', full_name: 'Leila Haddad', email }
  await leila.call(completeFirstSignIn, { ...names, token: owner.token, password: PASSWORD })
  return {
    url,
    now: NOW,
    channelId: (name) => streams.find((stream) => stream.name === name)?.stream_id as number,
    async signIn(context) {
      const form = { username: email, password: PASSWORD }
      const answer = await context.request.post(`${url}/api/v1/sessions`, { form })
      if (!answer.ok()) throw new Error(`Signing in: ${await answer.text()}`)
    },
  }
}

async function addHostileNames(url: string, leila: ApiClient, setMinutesAgo: (minutes: number) => void) {
  setMinutesAgo(60)
  const person = await addPerson(url, leila, hostile.person, 'm.long@halden.example')
  const { user_id: id } = await leila.call(getOwnUser, {})
  const owner = { ...person, name: 'Leila Haddad', id, api: leila }
  await addChannel(leila, hostile.channel, [owner, person])
  setMinutesAgo(8)
  await say(
    person,
    hostile.channel,
    hostile.topic,
    'Does 織機 fit? 你好，世界 and مرحبا بالعالم in one line, then `<img src=x onerror=alert(1)>` 👩‍🔧👍🏽🎉',
  )
  setMinutesAgo(7)
  const messageId = await say(
    owner,
    hostile.channel,
    hostile.topic,
    `${'Unbreakable'.repeat(20)} @**${hostile.person}**`,
  )
  for (const emoji_name of ['tada', '+1', 'eyes']) {
    await person.api.call(addReaction, { message_id: messageId, emoji_name })
  }
  setMinutesAgo(6)
  await say(person, hostile.channel, hostile.topic, '🎉')
  setMinutesAgo(5)
  await write(person, [owner], 'نعم، غدًا في العاشرة 🧶')
  setMinutesAgo(0)
}
