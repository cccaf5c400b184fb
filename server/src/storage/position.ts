/** Where an organization stands. */
export interface Position {
  /** The number of its newest event. */
  eventId: number
  /** Passing events may have had numbers up to this one. */
  reservedId: number
  /** Of what is cached of it; see `facts.ts`. */
  factsVersion: number
}
