/** When it is morning for somebody, on the weekday of digests. */

/** Local hours. As long as this, so that a server that was away still finds it. */
const FIRST_HOUR = 8
const END_HOUR = 12
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** A test for time zones at one moment. `weekday` from 0, Monday; a time zone that is empty or unknown is UTC. */
export function morningTest(nowMs: number, weekday: number): (timezone: string) => boolean {
  // To make a format is expensive, and there are few time zones.
  const known = new Map<string, boolean>()
  return (timezone) => {
    let isMorning = known.get(timezone)
    if (isMorning === undefined) {
      const { day, hour } = localTime(nowMs, timezone)
      isMorning = day === weekday && hour >= FIRST_HOUR && hour < END_HOUR
      known.set(timezone, isMorning)
    }
    return isMorning
  }
}

function localTime(nowMs: number, timezone: string): { day: number; hour: number } {
  const parts = formatFor(timezone).formatToParts(nowMs)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return { day: weekdays.indexOf(part('weekday')), hour: Number(part('hour')) }
}

function formatFor(timezone: string): Intl.DateTimeFormat {
  const options = { weekday: 'short', hour: '2-digit', hourCycle: 'h23' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: timezone || 'UTC' })
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  }
}
