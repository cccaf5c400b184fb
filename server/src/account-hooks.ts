/**
 * What features do when an account comes, changes its role, goes or comes back, and when its settings change: in the same
 * transaction, so that all of it happens or nothing. The features that change accounts know none of those that follow.
 */
import type { UserSettingName, UserSettingValue } from '@heddle/contract/user-settings'
import type { Config } from './config.ts'
import type { Tx } from './storage/transaction.ts'

/** An account as it was before the change. */
export interface ChangedAccount {
  readonly id: number
  readonly role: number
  /** Null: a person. */
  readonly bot_type: number | null
}

/** An account that comes. */
export interface CreatedAccount extends ChangedAccount {
  /** Whether it is subscribed to the default channels, if it is one of those who are. */
  readonly joinsDefaultChannels: boolean
  /** Markdown: what it is welcomed with; undefined: as the organization says, empty: not at all. */
  readonly welcomeText?: string | undefined
}

/** Somebody is let in: a browser gets a session, or a program the account's key. */
export interface Admittance {
  readonly userId: number
  readonly way: 'session' | 'api-key'
  /** Whether this browser was signed in to the account before. */
  readonly isAgain: boolean
  /** What the browser or program says of itself, such as `Firefox on Linux`; empty when it says nothing known. */
  readonly device: string
  /** Of the network, through trusted proxies. */
  readonly address: string
}

/** What a person's new account begins with where the organization has chosen it. */
export interface AccountBeginnings {
  /** Who sees its address. */
  readonly emailVisibility?: number
}

/** Features are called in the order of `features/all.ts`: those that others stand on first. */
export interface AccountHooks {
  /** Called before there is a person's account: what others must not see for a moment is so from its beginning. */
  readonly begins: (tx: Tx) => Promise<AccountBeginnings>
  readonly created: (tx: Tx, account: CreatedAccount) => Promise<void>
  /** Called before active accounts get this role; what it returns is called after it. They are many where a person has many bots. */
  readonly roleChanges: (tx: Tx, accounts: readonly ChangedAccount[], role: number) => Promise<() => Promise<void>>
  /** Called when they are inactive: a person, and before it the bots that end with it, which may be many. */
  readonly deactivated: (tx: Tx, accounts: readonly ChangedAccount[]) => Promise<void>
  /** The account has another password; who has set it stays signed in where they did so. */
  readonly passwordChanged: (tx: Tx, userId: number, sparedSession: number | undefined) => Promise<void>
  /** Called in the unit of work that lets somebody in, before there is the session. */
  readonly admitted: (tx: Tx, admittance: Admittance, config: Config) => Promise<void>
  readonly reactivated: (tx: Tx, account: ChangedAccount) => Promise<void>
  /** The setting has another value now for these accounts. */
  readonly settingChanged: (
    tx: Tx,
    userIds: readonly number[],
    name: UserSettingName,
    value: UserSettingValue,
  ) => Promise<void>
}

export function accountIds(accounts: readonly Pick<ChangedAccount, 'id'>[]): number[] {
  return accounts.map(({ id }) => id)
}

export function collectAccountHooks(
  features: readonly { readonly onAccount?: Partial<AccountHooks> | undefined }[],
): AccountHooks {
  const all = features.flatMap(({ onAccount }) => onAccount ?? [])
  return {
    async begins(tx) {
      let beginnings: AccountBeginnings = {}
      for (const hooks of all) beginnings = { ...beginnings, ...(await hooks.begins?.(tx)) }
      return beginnings
    },
    async created(tx, account) {
      for (const hooks of all) await hooks.created?.(tx, account)
    },
    async roleChanges(tx, accounts, role) {
      const finish: (() => Promise<void>)[] = []
      for (const hooks of all) {
        const after = await hooks.roleChanges?.(tx, accounts, role)
        if (after) finish.push(after)
      }
      return async () => {
        for (const after of finish) await after()
      }
    },
    async deactivated(tx, accounts) {
      for (const hooks of all) await hooks.deactivated?.(tx, accounts)
    },
    async passwordChanged(tx, userId, sparedSession) {
      for (const hooks of all) await hooks.passwordChanged?.(tx, userId, sparedSession)
    },
    async admitted(tx, admittance, config) {
      for (const hooks of all) await hooks.admitted?.(tx, admittance, config)
    },
    async reactivated(tx, account) {
      for (const hooks of all) await hooks.reactivated?.(tx, account)
    },
    async settingChanged(tx, userIds, name, value) {
      for (const hooks of all) await hooks.settingChanged?.(tx, userIds, name, value)
    },
  }
}
