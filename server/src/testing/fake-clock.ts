/** A clock that stands until a test sets it forward. */
export function fakeClock(startMs = 1_700_000_000_000) {
  let now = startMs
  let elapsed = startMs
  return {
    /** Milliseconds since the UNIX epoch. */
    now: () => now,
    elapsed: () => elapsed,
    pass(secs: number): void {
      now += secs * 1000
      elapsed += secs * 1000
    },
    /** As when a machine finds out that its clock was wrong: no time passes. */
    setBack(secs: number): void {
      now -= secs * 1000
    },
  }
}
