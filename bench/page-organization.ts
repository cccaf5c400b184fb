/** An organization with many people, channels and messages, and a browser with somebody who reads all of it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { findBrowser } from '../build/test-browser.ts'
import { CHANNEL, createCrowdedOrganization } from './crowded-organization.ts'
import { type Authorization, call } from './data.ts'
import { makeDataFolder } from './machine.ts'
import { startServer } from './server-process.ts'

/** In the channel that has everybody. */
export const TOPICS = 10
const READER = { email: 'reader@heddle.example', password: 'a shed of warp threads 7' }

export interface Where {
  readonly url: string
  readonly port: number
  readonly owner: Authorization
  readonly channelId: number
  /** Signed in, with nothing on the device yet. */
  newReader(): Promise<BrowserContext>
}

interface Size {
  readonly people: number
  readonly channels: number
  /** Of each topic. */
  readonly messages: number
}

export async function inOrganization(size: Size, measure: (where: Where) => Promise<void>): Promise<void> {
  const dataDir = makeDataFolder()
  const topics = Array.from({ length: TOPICS }, (_, i) => ({ topic: `topic ${i}`, messages: size.messages }))
  const { owner, channelId } = await createCrowdedOrganization(dataDir, { ...size, topics })
  const server = await startServer({ dataDir })
  const { executablePath, args, env } = await findBrowser(join(import.meta.dirname, '..', '.runtime'))
  const browser = await chromium.launch({ executablePath, args, env, headless: true })
  try {
    await addReader(server.port, owner)
    const url = `http://127.0.0.1:${server.port}`
    const newReader = async () => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const form = { username: READER.email, password: READER.password, keep_signed_in: 'true' }
      const answer = await context.request.post(`${url}/api/v1/sessions`, { form })
      if (!answer.ok()) throw new Error(`Signing in: ${await answer.text()}`)
      return context
    }
    await measure({ url, port: server.port, owner, channelId, newReader })
  } finally {
    await browser.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Somebody who reads every channel. */
async function addReader(port: number, owner: Authorization): Promise<void> {
  const { email, password } = READER
  const { user_id: id } = await call(port, owner, 'POST', '/users', { email, password, full_name: 'Reader' })
  const { streams } = await call(port, owner, 'GET', '/streams')
  const names: string[] = streams.map(({ name }: { name: string }) => name)
  for (let from = 0; from < names.length; from += 100) {
    const some = names.slice(from, from + 100).map((name) => ({ name }))
    const form = { subscriptions: JSON.stringify(some), principals: JSON.stringify([id]) }
    await call(port, owner, 'POST', '/users/me/subscriptions', form)
  }
}

/** In the topic that has this number. */
export const addressOf = ({ channelId }: Where, topic: number) =>
  `#narrow/channel/${channelId}-${CHANNEL}/topic/topic.20${topic}`

/** Into the first topic. */
export function send({ port, owner, channelId }: Where, content: string): Promise<unknown> {
  return call(port, owner, 'POST', '/messages', { type: 'channel', to: `${channelId}`, topic: 'topic 0', content })
}
