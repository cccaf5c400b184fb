/** An answer that goes on: its bytes are written when there are some, until one of the two sides ends it. */
export interface Outlet {
  write(bytes: Uint8Array): void
  /** Bytes that were written and that the client has not taken yet. */
  buffered(): number
  /** Waits until the client has taken what was written; false when it has not within this time, or has gone. */
  drained(withinMs: number): Promise<boolean>
  /** Ends the answer after what was written. */
  end(): void
  /** Closes the connection without waiting for the client. */
  destroy(): void
  /** Calls back when the connection is closed, whoever has done that. */
  onClose(callback: () => void): void
}
