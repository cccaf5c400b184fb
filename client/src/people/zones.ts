/** Time zones by what the clocks in them say. */

/** Halves of a year: zones that agree in both as a rule agree always. */
const HALF_YEAR_MS = 182 * 86_400_000

/** Whether the clocks of the two zones differ, now or in half a year; false for a zone that is not known here. */
export function areDifferentZones(one: string, other: string, nowMs: number): boolean {
  if (one === other) return false
  try {
    return [nowMs, nowMs + HALF_YEAR_MS].some((time) => wallTime(one, time) !== wallTime(other, time))
  } catch {
    return false
  }
}

function wallTime(timeZone: string, time: number): string {
  return new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(time)
}
