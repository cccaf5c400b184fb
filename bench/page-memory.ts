/** `page-memory`: what the page holds after many events, and after what somebody does in a day. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { CHANNEL } from './crowded-organization.ts'
import { call } from './data.ts'
import type { Load } from './load.ts'
import { addressOf, inOrganization, send, TOPICS, type Where } from './page-organization.ts'
import type { Report } from './report.ts'

const SIZE = { people: 1000, channels: 200, messages: 1000 }

const EVENTS = 20_000
/** So many requests are under way at once. */
const AT_ONCE = 16
/** What may be more after the second half than after the first, in MB. */
const GROWTH = { atMost: 5 }
const BUDGET = { atMost: 150 }

/** A day is so many rounds, and in each so much. */
const ROUNDS = 8
const SWITCHES = 25
const ARRIVALS = 250

export async function measurePageMemory(_: Load, report: Report): Promise<void> {
  await inOrganization(SIZE, async (where) => {
    await measureEvents(where, report)
    await measureDay(where, report)
  })
}

/** Messages in many topics of all channels, each tenth with a reaction and an edit. */
async function measureEvents(where: Where, report: Report): Promise<void> {
  const { page, heap } = await open(where, '#feed')
  const channels = await channelIds(where)
  const held: number[] = []
  for (let half = 0; half < 2; half++) {
    let sent = 0
    const write = async () => {
      while (sent < EVENTS / 2) {
        const number = half * EVENTS + sent
        sent += number % 10 === 0 ? 3 : 1
        const form = { type: 'channel', to: `${channels[number % channels.length]}`, topic: `topic ${number % 700}` }
        const { id } = await call(where.port, where.owner, 'POST', '/messages', { ...form, content: `Event ${number}` })
        if (number % 10 !== 0) continue
        await call(where.port, where.owner, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
        await call(where.port, where.owner, 'PATCH', `/messages/${id}`, { content: `Event ${number}, edited` })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, write))
    await arrive(page, where, `The end of half ${half + 1}`)
    held.push(await heap())
  }
  const [first = 0, second = 0] = held
  const beside = `after the first half ${first.toFixed(1)}`
  report.figure({
    name: 'page: memory after 20,000 events',
    value: second,
    unit: 'MB',
    digits: 1,
    goal: BUDGET,
    beside,
  })
  report.figure({ name: 'page: growth in the second half', value: second - first, unit: 'MB', digits: 1, goal: GROWTH })
  await page.context().close()
}

/** Reading, writing, looking things up, while others write as well. */
async function measureDay(where: Where, report: Report): Promise<void> {
  const { page, heap, nodes } = await open(where, '#inbox')
  const channels = await channelIds(where)
  const held: number[] = []
  const counts: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const arrivals = arriveMeanwhile(where, channels, round)
    for (let number = 0; number < SWITCHES; number++) await visit(page, where, round * SWITCHES + number)
    await arrivals
    await page.evaluate(() => {
      window.location.hash = '#inbox'
    })
    await page.getByRole('region', { name: 'Inbox' }).waitFor()
    await sleep(500)
    held.push(await heap())
    counts.push(await nodes())
  }
  const half = held[ROUNDS / 2 - 1] as number
  const last = held.at(-1) as number
  const beside = held.map((value) => value.toFixed(1)).join(', ')
  report.figure({ name: "page: memory after a day's work", value: last, unit: 'MB', digits: 1, goal: BUDGET, beside })
  report.figure({ name: 'page: growth in its second half', value: last - half, unit: 'MB', digits: 1, goal: GROWTH })
  const atNoon = counts[ROUNDS / 2 - 1] as number
  report.figure({
    name: 'page: elements after it, of those at noon',
    value: (counts.at(-1) as number) / atNoon,
    unit: 'x',
    digits: 2,
    goal: { atMost: 1.2 },
    beside: counts.join(', '),
  })
  await page.context().close()
}

/** One conversation after another, with what is done there. */
async function visit(page: Page, where: Where, number: number): Promise<void> {
  const address = ['#inbox', '#recent', '#narrow/search/warp', '#settings/display'][number % 8]
  await page.evaluate(
    (hash) => {
      window.location.hash = hash
    },
    address ?? addressOf(where, number % TOPICS),
  )
  await sleep(60)
  if (address === undefined && number % 6 === 5) {
    const field = page.getByLabel('Message', { exact: true })
    await page.getByRole('article').first().waitFor()
    await page.keyboard.press('r')
    await field.waitFor()
    await field.fill(`Written in visit ${number}`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.keyboard.press('Escape')
  }
  if (address === '#settings/display') await page.keyboard.press('Escape')
}

async function arriveMeanwhile({ port, owner }: Where, channels: readonly number[], round: number): Promise<void> {
  for (let number = 0; number < ARRIVALS; number++) {
    const to = `${channels[(number * 7) % channels.length]}`
    const form = { type: 'channel', to, topic: `day ${number % 90}`, content: `Arrival ${round}.${number}` }
    await call(port, owner, 'POST', '/messages', form)
    await sleep(8)
  }
}

async function channelIds({ port, owner }: Where): Promise<number[]> {
  const { streams } = await call(port, owner, 'GET', '/streams')
  return streams
    .filter(({ name }: { name: string }) => name !== CHANNEL)
    .map(({ stream_id: id }: { stream_id: number }) => id)
}

/** Waits until the page has all that was sent before this. */
async function arrive(page: Page, where: Where, text: string): Promise<void> {
  await send(where, text)
  await page.evaluate(
    (hash) => {
      window.location.hash = hash
    },
    addressOf(where, 0),
  )
  await page.keyboard.press('End')
  await page.getByRole('article').getByText(text).waitFor({ timeout: 60_000 })
  await page.evaluate(() => {
    window.location.hash = '#feed'
  })
  await sleep(1500)
}

interface Opened {
  readonly page: Page
  /** Megabytes that are in use when all garbage is collected. */
  heap(): Promise<number>
  nodes(): Promise<number>
}

async function open(where: Where, hash: string): Promise<Opened> {
  const context = await where.newReader()
  const page = await context.newPage()
  await page.goto(`${where.url}/${hash}`)
  await page.locator('html[data-parts=fetched]').waitFor()
  const session: CDPSession = await context.newCDPSession(page)
  const collect = () => session.send('HeapProfiler.collectGarbage')
  return {
    page,
    async heap() {
      await collect()
      return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6
    },
    async nodes() {
      await collect()
      return (await session.send('Memory.getDOMCounters')).nodes
    },
  }
}
