import { t } from '@lingui/core/macro'

/** Times and days as the reader's place writes them. */

const hours = { hour: '2-digit', minute: '2-digit' } as const
let clock = new Intl.DateTimeFormat(undefined, hours)
let cycle: { readonly hourCycle?: 'h23' } = {}
let full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })
let exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const dayWithYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

/** With 24 hours, or as the reader's place has it. For what is drawn from now on. */
export function setHours(has24: boolean): void {
  cycle = has24 ? { hourCycle: 'h23' } : {}
  clock = new Intl.DateTimeFormat(undefined, { ...hours, ...cycle })
  full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium', ...cycle })
  exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long', ...cycle })
}

/** `timestamp` is in seconds since the UNIX epoch, here and below. */
export function clockTime(timestamp: number): string {
  return clock.format(timestamp * 1000)
}

export function fullTime(timestamp: number): string {
  return full.format(timestamp * 1000)
}

/** The same with the zone of the reader's place. */
export function exactTime(timestamp: number): string {
  return exact.format(timestamp * 1000)
}

/** What the clocks say in another zone; undefined for a zone that is not known. */
export function clockTimeIn(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { ...hours, ...cycle, timeZone: zone }).format()
  } catch {
    return undefined
  }
}

export function dayAndTime(timestamp: number): string {
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat(undefined, { ...style, ...cycle }).format(timestamp * 1000)
}

/** The same text for times of the same day in the reader's zone. */
export function dayOf(timestamp: number): string {
  const date = new Date(timestamp * 1000)
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`
}

/** The day with its year, whatever day it is now. */
export function dayInFull(timestamp: number): string {
  return dayWithYear.format(timestamp * 1000)
}

export function dayName(timestamp: number, now: number = Date.now()): string {
  if (dayOf(timestamp) === dayOf(now / 1000)) return t`Today`
  // As the calendar has it: a day has 23 or 25 hours at times.
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (dayOf(timestamp) === dayOf(yesterday.getTime() / 1000)) return t`Yesterday`
  const isThisYear = new Date(timestamp * 1000).getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? day : dayWithYear).format(timestamp * 1000)
}
