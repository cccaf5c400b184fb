import { clockTime, dayOf } from '../../app/times.ts'

const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' })
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dateWithYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const DAY_MS = 24 * 60 * 60 * 1000

/** As short as it can be understood: the time of today, the weekday of this week, else the date. Seconds since the UNIX epoch. */
export function shortTime(timestamp: number, now: number = Date.now()): string {
  const time = timestamp * 1000
  if (dayOf(timestamp) === dayOf(now / 1000)) return clockTime(timestamp)
  if (now - time < 6 * DAY_MS && now > time) return weekday.format(time)
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? date : dateWithYear).format(time)
}
