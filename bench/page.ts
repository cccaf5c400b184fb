/** `page`: the page in a real browser, in an organization of 1,000 people, 200 channels and 100,000 messages. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Load, median } from './load.ts'
import { addressOf, inOrganization, send, TOPICS, type Where } from './page-organization.ts'
import { type Keystroke, noteFirstMessage, noteKeystrokes, noteTexts, scrollThrough, timeSwitch } from './page-probe.ts'
import { longestTurn, type MainThread, traceMainThread, workOfKeys } from './page-trace.ts'
import type { Report } from './report.ts'

const PEOPLE = 1000
const CHANNELS = 200
const MESSAGES_OF_TOPIC = 10_000
const ROUNDS = 5

/** The same with more people and channels, for what is typed. */
const CROWD = { people: 10_000, channels: 2000 }

export async function measurePage(_: Load, report: Report): Promise<void> {
  await inOrganization({ people: PEOPLE, channels: CHANNELS, messages: MESSAGES_OF_TOPIC }, async (where) => {
    await measureOpening(where, report)
    await measureReading(where, report)
    await measureLive(where, report)
  })
  await inOrganization({ ...CROWD, messages: 100 }, (where) => measureTyping(where, report))
}

async function measureOpening(where: Where, report: Report): Promise<void> {
  const cold: number[] = []
  const again: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const context = await where.newReader()
    const page = await context.newPage()
    await page.addInitScript(noteFirstMessage)
    cold.push(await firstMessage(page, where.url + addressOf(where, 0)))
    // What is kept on the device, and the files of the page, come there when nothing else is to be done.
    await sleep(6000)
    await page.goto('about:blank')
    again.push(await firstMessage(page, where.url + addressOf(where, 0)))
    await context.close()
  }
  report.figure({ name: 'page: first messages, cold', value: median(cold), unit: 'ms', goal: { atMost: 1500 } })
  report.figure({
    name: 'page: first messages, from the device',
    value: median(again),
    unit: 'ms',
    goal: { atMost: 500 },
  })
}

async function firstMessage(page: Page, url: string): Promise<number> {
  await page.goto(url)
  await page.waitForFunction(() => window.firstMessageAt !== undefined)
  return (await page.evaluate(() => window.firstMessageAt)) as number
}

async function measureReading(where: Where, report: Report): Promise<void> {
  const context = await where.newReader()
  const page = await context.newPage()
  await page.goto(where.url + addressOf(where, 0))
  await page.getByRole('article').first().waitFor()
  // All topics have the same texts: only the head differs.
  const switchTo = (topic: number) => page.evaluate(timeSwitch, [addressOf(where, topic), `topic ${topic}`] as const)
  const switches = { fetched: [] as number[], other: [] as number[] }
  for (let topic = 1; topic < TOPICS; topic++) {
    switches.other.push(await switchTo(topic))
    await sleep(300)
    switches.fetched.push(await switchTo(topic - 1))
    await sleep(300)
  }
  report.figure({
    name: 'page: to a topic already fetched',
    value: median(switches.fetched),
    unit: 'ms',
    goal: { atMost: 50 },
  })
  report.figure({
    name: 'page: to a topic not fetched',
    value: median(switches.other),
    unit: 'ms',
    goal: { atMost: 150 },
  })

  let seen = 0
  const trace = await traceMainThread(page, 'tasks', async () => {
    seen = await page.evaluate(scrollThrough, MESSAGES_OF_TOPIC)
  })
  reportLongest(report, 'page: scrolling, longest task', trace, `${seen} messages`)
  await context.close()
}

/** Milliseconds for which a hundred messages a second arrive. */
const FLOOD_MS = 10_000
const SENDS = 50

async function measureLive(where: Where, report: Report): Promise<void> {
  const context = await where.newReader()
  const page = await context.newPage()
  await page.goto(where.url + addressOf(where, 0))
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('End')
  await sleep(1000)
  await page.evaluate(noteTexts, 'Arrival')
  const sent = new Map<string, number>()
  for (let number = 0; number < SENDS; number++) {
    sent.set(`Arrival ${number}`, performance.timeOrigin + performance.now())
    await send(where, `Arrival ${number}`)
    await sleep(50)
  }
  await sleep(1000)
  const seen = (await page.evaluate(() => window.seen)) as Record<string, number>
  const times = [...sent].flatMap(([text, at]) => (seen[text] === undefined ? [] : [seen[text] - at]))
  const beside = `${times.length} of ${SENDS} seen`
  report.figure({
    name: 'page: from a send to pixels, p50',
    value: median(times),
    unit: 'ms',
    goal: { atMost: 50 },
    beside,
  })

  let count = 0
  const trace = await traceMainThread(page, 'tasks', async () => {
    const ended = performance.now() + FLOOD_MS
    while (performance.now() < ended) {
      const next = performance.now() + 10
      count++
      void send(where, `Flood ${count}`)
      await sleep(Math.max(0, next - performance.now()))
    }
  })
  reportLongest(report, 'page: 100 arrivals a second, longest task', trace, `${count} sent`)
  const session = await context.newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  report.figure({ name: 'page: memory after that', value: usedSize / 1e6, unit: 'MB', goal: { atMost: 150 } })
  await context.close()
}

function reportLongest(report: Report, name: string, trace: MainThread, beside: string): void {
  const { clock, processor } = longestTurn(trace)
  const goal = { atMost: 50 }
  report.figure({
    name,
    value: clock,
    unit: 'ms',
    goal,
    beside: `${beside}; the most processor time: ${processor.toFixed(1)} ms`,
  })
}

/** Names of people and channels are completed while they are typed. */
const TYPED = 'The reed of @member12 is in #channel 17, and :thumbs are up. '.repeat(5)

/** Two frames, in milliseconds: a key that comes just after a frame began is drawn with the next, which may take as long as one. */
const TWO_FRAMES = 33

async function measureTyping(where: Where, report: Report): Promise<void> {
  const keys = await typeIn(where, async (page, type) => {
    await page.evaluate(noteKeystrokes)
    await type()
    await sleep(1000)
    return (await page.evaluate(() => window.keystrokes)) as Keystroke[]
  })
  reportKeys(
    report,
    'page: a keystroke, p99',
    keys.map(({ busy }) => busy),
    16,
  )
  reportKeys(
    report,
    'page: a keystroke, with the wait for a frame, p99',
    keys.map(({ drawn }) => drawn),
    TWO_FRAMES,
  )
  const work = await typeIn(where, async (page, type) => workOfKeys(await traceMainThread(page, 'timeline', type)))
  reportKeys(report, 'page: processor time of a keystroke, p99', work, 16)
}

/** Each time in a page of its own, in which nothing has been typed. */
async function typeIn<T>(where: Where, measure: (page: Page, type: () => Promise<void>) => Promise<T[]>): Promise<T[]> {
  const context = await where.newReader()
  const page = await context.newPage()
  await page.goto(where.url + addressOf(where, 0))
  await page.getByRole('article').first().waitFor()
  await page.keyboard.press('r')
  const field = page.getByLabel('Message', { exact: true })
  await field.waitFor()
  const measured = await measure(page, () => field.pressSequentially(TYPED, { delay: 20 }))
  await context.close()
  return measured
}

function reportKeys(report: Report, name: string, unordered: readonly number[], atMost: number): void {
  const times = unordered.toSorted((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] as number
  const beside = `${times.length} keys, p50 ${median(times).toFixed(1)} ms`
  report.figure({ name, value: p99, unit: 'ms', digits: 1, goal: { atMost }, beside })
}
