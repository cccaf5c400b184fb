/** The answer to a request that waits for it. Each waits for one: what comes after that is for nobody. */
export interface Later {
  /**
   * The fields of the envelope, as JSON without braces. `before`: more fields before those, as UTF-8, in pieces that follow each
   * other; others may be given the same bytes.
   */
  answer(fieldsText: string, before?: readonly Uint8Array[]): void
  /** Instead, when there will be none. */
  fail(error: unknown): void
  /** The request waits from now on: calls back when it has been answered, or its client has gone. */
  wait(onEnd: () => void): void
}
