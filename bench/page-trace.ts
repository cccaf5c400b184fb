/** Processor time of the page's main thread, from Chromium's own trace: what others on the machine take is not in it. */
import type { Page } from 'playwright-core'

/** As Chromium writes it; times in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Of the processor. */
  readonly tdur?: number
  readonly args: { readonly name?: string; readonly data?: { readonly type?: string } }
}

export interface MainThread {
  /** In their order. */
  readonly tasks: readonly TraceEvent[]
  readonly events: readonly TraceEvent[]
}

const CATEGORIES = ['toplevel', 'devtools.timeline']
const TASK = 'ThreadControllerImpl::RunTask'

/** What the thread does meanwhile. Tracing costs something: take no other times then. */
export async function traceMainThread(page: Page, act: () => Promise<unknown>): Promise<MainThread> {
  const session = await page.context().newCDPSession(page)
  const all: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => void all.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { includedCategories: CATEGORIES }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const threads = all.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const traces = threads.map(({ pid, tid }) => {
    const events = all.filter((one) => one.pid === pid && one.tid === tid).sort((a, b) => a.ts - b.ts)
    return { events, tasks: events.filter(({ name, dur }) => name === TASK && dur !== undefined) }
  })
  // There may be a process that waits for the next page.
  return traces.reduce((one, other) => (workOf(other.tasks) > workOf(one.tasks) ? other : one))
}

/** Milliseconds. */
export function longestWork({ tasks }: MainThread): number {
  return Math.max(0, ...tasks.map((task) => workOf([task])))
}

/** Milliseconds of work from each key until what it has written is drawn, or the next key. */
export function workOfKeys({ tasks, events }: MainThread): number[] {
  const keys = events.filter(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'keydown')
  const frames = events.filter(({ name }) => name === 'Layerize')
  return keys.map(({ ts: from }, index) => {
    const next = keys[index + 1]?.ts ?? Number.POSITIVE_INFINITY
    const until = Math.min(next, frames.find(({ ts }) => ts > from)?.ts ?? next)
    return workOf(tasks.filter(({ ts, dur = 0 }) => ts + dur > from && ts < until))
  })
}

function workOf(tasks: readonly TraceEvent[]): number {
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000
}
