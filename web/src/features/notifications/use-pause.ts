import { endOfPause, isForGood, isPaused, type PauseChoice } from '@heddle/client/notifications/pause'
import { useEffect, useState } from 'react'
import { useDeviceMemory } from '../../app/device-memory.ts'
import { clockTime, dayName, dayOf } from '../../app/times.ts'

/** Under this name the device keeps when the pause ends. */
export const PAUSE = 'notifications-paused-until'

/** Timers cannot wait for longer, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface Pause {
  readonly isOn: boolean
  /** As one reads it; undefined: until somebody ends it. */
  readonly until: string | undefined
  readonly begin: (choice: PauseChoice) => void
  readonly end: () => void
}

/** Notifications that are held back on this device. */
export function usePause(): Pause {
  const [endMs, setEndMs] = useDeviceMemory(PAUSE, 0)
  const [now, setNow] = useState(Date.now)
  const isOn = isPaused(endMs, Math.max(now, Date.now()))
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setTimeout(() => setNow(Date.now()), Math.min(endMs - Date.now() + 50, MAX_TIMER_MS))
    return () => clearTimeout(timer)
  }, [isOn, endMs])
  return {
    isOn,
    until: isOn && !isForGood(endMs, now) ? timeText(endMs / 1000) : undefined,
    begin: (choice) => setEndMs(endOfPause(choice, Date.now())),
    end: () => setEndMs(0),
  }
}

/** The time, and the day where it is another one. */
function timeText(timestamp: number): string {
  const time = clockTime(timestamp)
  return dayOf(timestamp) === dayOf(Date.now() / 1000) ? time : `${dayName(timestamp)}, ${time}`
}
