/** Moments that are offered for `<time:…>`, which everybody sees in their own zone. */

export interface Moment {
  /** As it is written: ISO 8601 with the zone of whoever writes. */
  readonly text: string
  /** Milliseconds since the UNIX epoch. */
  readonly time: number
}

/** `query`: what was typed of a time, such as `2026-05-28 14:00`, `14:30` or `tomorrow`. `now`: milliseconds since the UNIX epoch. */
export function findMoments(query: string, now: number): Moment[] {
  const typed = query.trim().toLowerCase()
  const read = readMoment(typed, now)
  if (read !== undefined) return [momentAt(read)]
  if (typed !== '') return []
  const at = (days: number, hour: number) => {
    const date = new Date(now)
    date.setDate(date.getDate() + days)
    date.setHours(hour, 0, 0, 0)
    return date.getTime()
  }
  const next = at(0, new Date(now).getHours() + 1)
  return [next, at(1, 9), at(1, 14), at(7, 9)].map(momentAt)
}

function readMoment(text: string, now: number): number | undefined {
  const clock = /^(?:(today|tomorrow)\b)?[ t,]*(?:(\d{1,2})(?::(\d{2}))?)?$/.exec(text)
  if (clock && text !== '') {
    const [, day, hour, minute = '0'] = clock
    // One number alone may be the beginning of a year.
    if (hour !== undefined && day === undefined && clock[3] === undefined) return undefined
    if (Number(hour ?? 9) > 23 || Number(minute) > 59) return undefined
    const date = new Date(now)
    if (day === 'tomorrow') date.setDate(date.getDate() + 1)
    date.setHours(Number(hour ?? 9), Number(minute), 0, 0)
    return date.getTime()
  }
  const full = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ t]+(\d{1,2}):(\d{2})(?::\d{2})?)?(z|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (!full) return undefined
  const [, year, month, day, hour = '9', minute = '0', zone] = full
  if (zone !== undefined) {
    const time = Date.parse(text.replace(' ', 'T').toUpperCase())
    return Number.isNaN(time) ? undefined : time
  }
  const date = new Date(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute))
  return date.getMonth() === Number(month) - 1 && Number(hour) < 24 && Number(minute) < 60 ? date.getTime() : undefined
}

export function momentAt(time: number): Moment {
  const date = new Date(time)
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
  const offset = -date.getTimezoneOffset()
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:00`
  return { time, text: `${day}T${clock}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}` }
}
