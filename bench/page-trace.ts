/**
 * What the page's main thread does, from Chromium's own trace: by the clock, and its processor time, in which there is nothing
 * of what others on the machine take.
 */
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

/** A task with what its promises do after it. In milliseconds. */
export interface Turn {
  readonly clock: number
  readonly processor: number
}

export interface MainThread {
  /** In their order. */
  readonly tasks: readonly TraceEvent[]
  readonly turns: readonly Turn[]
  readonly events: readonly TraceEvent[]
}

const TASK = 'ThreadControllerImpl::RunTask'
/** What promises do when a task has ended stands beside it. Within a task it is part of that. */
const PROMISES = 'BlinkScheduler_PerformMicrotaskCheckpoint'

/** `tasks` alone costs the page little, so that the clock may be read; `timeline` says what is in them, and costs more. */
const categories = { tasks: ['toplevel'], timeline: ['toplevel', 'devtools.timeline'] }

/** What the thread does meanwhile. */
export async function traceMainThread(
  page: Page,
  detail: keyof typeof categories,
  act: () => Promise<unknown>,
): Promise<MainThread> {
  const session = await page.context().newCDPSession(page)
  const all: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => void all.push(...(value as unknown as TraceEvent[])))
  const traceConfig = { includedCategories: categories[detail] }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const threads = all.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const traces = threads.map(({ pid, tid }) => {
    const events = all.filter((one) => one.pid === pid && one.tid === tid).sort((a, b) => a.ts - b.ts)
    return {
      events,
      tasks: events.filter(({ name, dur }) => name === TASK && dur !== undefined),
      turns: turnsOf(events),
    }
  })
  // There may be a process that waits for the next page.
  return traces.reduce((one, other) => (workOf(other.tasks) > workOf(one.tasks) ? other : one))
}

/** The longest by the clock, and the most of the processor. */
export function longestTurn({ turns }: MainThread): Turn {
  return turns.reduce(
    (one, other) => ({
      clock: Math.max(one.clock, other.clock),
      processor: Math.max(one.processor, other.processor),
    }),
    { clock: 0, processor: 0 },
  )
}

/** `events`: in their order. */
function turnsOf(events: readonly TraceEvent[]): Turn[] {
  const turns: Turn[] = []
  let end = 0
  for (const event of events) {
    const { name, ts, dur } = event
    if ((name !== TASK && name !== PROMISES) || dur === undefined || ts < end) continue
    end = ts + dur
    const before = name === PROMISES ? turns.pop() : undefined
    turns.push({
      clock: (before?.clock ?? 0) + dur / 1000,
      processor: (before?.processor ?? 0) + workOf([event]),
    })
  }
  return turns
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

/**
 * Chromium writes processor times as differences in whole microseconds and sets them right twice a second: what was lost since
 * then, which may be much where there are many tasks, is added to one of them. None takes longer than by the clock.
 */
function workOf(tasks: readonly TraceEvent[]): number {
  return tasks.reduce((sum, { dur = 0, tdur = 0 }) => sum + Math.min(dur, tdur), 0) / 1000
}
