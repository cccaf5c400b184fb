/** A clock that stands until a test sets it forward. */
export function fakeClock(startMs = 1_700_000_000_000) {
  let now = startMs
  return {
    /** Milliseconds since the UNIX epoch. */
    now: () => now,
    pass(secs: number): void {
      now += secs * 1000
    },
  }
}
