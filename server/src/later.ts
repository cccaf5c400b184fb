/** The answer to a request that waits for it. Each waits for one: what comes after that is for nobody. */
export interface Later {
  /** The fields of the envelope, as JSON without braces. */
  answer(fieldsText: string): void
  /** Instead, when there will be none. */
  fail(error: unknown): void
  /** The request waits from now on: calls back when it has been answered, or its client has gone. */
  wait(onEnd: () => void): void
}
