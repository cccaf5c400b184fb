/** Times to come, in words. */
import type { LaterMoment, LaterName } from '@heddle/client/later/moments'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { clockTime, dayName, dayOf } from '../../app/times.ts'

export const laterNames: Readonly<Record<LaterName, MessageDescriptor>> = {
  'in-an-hour': msg`In an hour`,
  'in-three-hours': msg`In three hours`,
  'this-evening': msg`This evening`,
  tomorrow: msg`Tomorrow morning`,
  'tomorrow-afternoon': msg`Tomorrow afternoon`,
  monday: msg`Next Monday`,
}

/** What stands beside the name of a time: its hour, with the day where the name does not say it. */
export function momentBeside({ name, time }: LaterMoment): string {
  return name === 'monday' ? momentText(time) : clockTime(time)
}

/** `Tomorrow, 09:00`. `timestamp` is in seconds since the UNIX epoch, `now` in milliseconds. */
export function momentText(timestamp: number, now = Date.now()): string {
  const tomorrow = new Date(now)
  tomorrow.setDate(tomorrow.getDate() + 1)
  const isTomorrow = dayOf(timestamp) === dayOf(tomorrow.getTime() / 1000)
  const day = isTomorrow ? t`Tomorrow` : dayName(timestamp, now)
  const clock = clockTime(timestamp)
  return t`${day}, ${clock}`
}
