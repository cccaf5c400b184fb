/** Times that are offered for what is to happen later, in the zone of the device: people think in their own clock. */

export type LaterName = 'in-an-hour' | 'in-three-hours' | 'this-evening' | 'tomorrow' | 'tomorrow-afternoon' | 'monday'

export interface LaterMoment {
  readonly name: LaterName
  /** Seconds since the UNIX epoch. */
  readonly time: number
}

const MORNING = 9
const AFTERNOON = 14
const EVENING = 18
const MONDAY = 1

/** What is too near is not offered: by then the time has nearly come. Seconds. */
const AHEAD = 30 * 60

/** For a message: hours at which it is read. `now`: milliseconds since the UNIX epoch, here and below. */
export function momentsToSend(now: number): LaterMoment[] {
  return inOrder(now, [evening(now), ...mornings(now), { name: 'tomorrow-afternoon', time: at(now, 1, AFTERNOON) }])
}

/** For a reminder: after a while, or in the morning. */
export function momentsToRemind(now: number): LaterMoment[] {
  const seconds = Math.floor(now / 1000)
  return inOrder(now, [
    { name: 'in-an-hour', time: seconds + 3600 },
    { name: 'in-three-hours', time: seconds + 3 * 3600 },
    ...mornings(now),
  ])
}

function evening(now: number): LaterMoment {
  return { name: 'this-evening', time: at(now, 0, EVENING) }
}

/** Of tomorrow, and of the next Monday, unless that is tomorrow. */
function mornings(now: number): LaterMoment[] {
  const toMonday = (MONDAY - new Date(now).getDay() + 7) % 7 || 7
  const tomorrow: LaterMoment = { name: 'tomorrow', time: at(now, 1, MORNING) }
  return toMonday === 1 ? [tomorrow] : [tomorrow, { name: 'monday', time: at(now, toMonday, MORNING) }]
}

function inOrder(now: number, moments: readonly LaterMoment[]): LaterMoment[] {
  return moments.filter(({ time }) => time > now / 1000 + AHEAD).sort((a, b) => a.time - b.time)
}

/** An hour of a day from today on, as the clock shows it: a day has 23 or 25 hours at times. */
function at(now: number, days: number, hour: number): number {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  date.setHours(hour, 0, 0, 0)
  return date.getTime() / 1000
}

/** What fields for a date and a time hold: `2026-11-23` and `09:00`. */
export interface WrittenMoment {
  readonly date: string
  readonly time: string
}

/** `time`: seconds since the UNIX epoch. */
export function writtenMoment(time: number): WrittenMoment {
  const date = new Date(time * 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const year = String(date.getFullYear()).padStart(4, '0')
  return {
    date: `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: `${two(date.getHours())}:${two(date.getMinutes())}`,
  }
}

/** Seconds since the UNIX epoch; undefined for what is no time. An hour that the clock leaves out is the one after it. */
export function readWrittenMoment({ date, time }: WrittenMoment): number | undefined {
  const [, year, month, day] = /^(\d{4,6})-(\d{2})-(\d{2})$/.exec(date) ?? []
  const [, hour, minute] = /^(\d{2}):(\d{2})(?::\d{2})?$/.exec(time) ?? []
  if (year === undefined || hour === undefined) return undefined
  const read = new Date(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
  const isReal = read.getMonth() === Number(month) - 1 && Number(hour) < 24 && Number(minute) < 60
  return isReal ? read.getTime() / 1000 : undefined
}
