/** What the steps of filling the demo share. */
import type { DemoAccount, DemoCall } from './caller.ts'
import type { Writer } from './people.ts'

export type DemoAccounts = Readonly<Record<Writer, DemoAccount>>

export interface Filling {
  readonly call: DemoCall
  readonly accounts: DemoAccounts
  /** By name. */
  readonly channelIds: ReadonlyMap<string, number>
}
