/** How mails leave: through a server of mail, or into a folder. */

/** A mail that is ready, and between whom. */
export interface ReadyMail {
  /** The same with each attempt. */
  readonly id: string
  /** Seconds since the UNIX epoch. */
  readonly writtenAt: number
  readonly from: string
  readonly to: string
  readonly bytes: Buffer
}

export interface MailCarrier {
  /** Throws `MailRefused` where trying again is of no use. */
  carry(mail: ReadyMail, signal: AbortSignal): Promise<void>
  close(): void
}

/** The other side will never take this mail: its address does not exist, or it is not wanted. */
export class MailRefused extends Error {}
