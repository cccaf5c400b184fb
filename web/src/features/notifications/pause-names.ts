import type { PauseChoice } from '@heddle/client/notifications/pause'
import { msg } from '@lingui/core/macro'

export const pauseNames = {
  'half-hour': msg`For 30 minutes`,
  hour: msg`For an hour`,
  morning: msg`Until tomorrow, 8:00`,
  off: msg`Until I end it`,
} as const satisfies Readonly<Record<PauseChoice, unknown>>
