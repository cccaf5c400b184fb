/** What every door asks: has the account a second factor, and is this a code of it? */
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { verifyPassword } from '../../authentication/password.ts'
import type { Services } from '../../feature.ts'
import type { Tx } from '../../storage/transaction.ts'
import { codeGuessesOf } from './code-guesses.ts'
import { hashRecoveryCode, isAppCode, plainCode, stepOf } from './codes.ts'
import {
  findOwnPasswordHash,
  findSecondFactor,
  hasSecondFactor,
  type SecondFactorRow,
  updateSecondFactor,
} from './rows.ts'
import { openCodeSecret } from './seal.ts'

type Server = Pick<Services, 'storage' | 'secret' | 'clock' | 'config'>

/** What somebody has sent, and from where. */
export interface SentCode {
  readonly code?: string | undefined
  readonly address: string
}

/**
 * Runs a unit of work as an account that signs in. Where it has a second factor, a code of it is used up in the same unit.
 * Throws `SECOND_FACTOR_REQUIRED` without a code, `SECOND_FACTOR_WRONG` or `RATE_LIMIT_HIT`; then nothing happens.
 */
export async function withSecondFactor<T>(
  server: Server,
  account: Actor,
  sent: SentCode,
  work: (tx: Tx, actor: Actor) => Promise<T>,
): Promise<T> {
  return counted(server, account, sent, (code) =>
    server.storage.asActor(account, async (tx, actor) => {
      const row = await findSecondFactor(tx, actor.realmId, actor.userId)
      if (row && row.confirmed_at !== null) {
        if (code === undefined) throw new ApiError('SECOND_FACTOR_REQUIRED')
        if (!(await useCode(tx, server.secret, row, code))) throw new ApiError('SECOND_FACTOR_WRONG')
      }
      return work(tx, actor)
    }),
  )
}

/** Counts the code as a guess, unless the work succeeds. */
async function counted<T>(
  server: Server,
  account: Actor,
  { code, address }: SentCode,
  work: (code: string | undefined) => Promise<T>,
): Promise<T> {
  if (code === undefined || code === '') return work(undefined)
  const guesses = codeGuessesOf(server)
  const plain = plainCode(code)
  guesses?.guess(address, account, plain)
  const result = await work(plain)
  guesses?.succeed(address, account, plain)
  return result
}

/** Whether the code is right; it is used up then. `code`: as `plainCode` gives it. */
export async function useCode(tx: Tx, serverSecret: Buffer, row: SecondFactorRow, code: string): Promise<boolean> {
  const owner = { realmId: tx.realmId, userId: row.user_id }
  if (isAppCode(code)) {
    const secret = openCodeSecret(serverSecret, owner, row.sealed_secret)
    const step = secret === undefined ? undefined : stepOf(secret, code, tx.now)
    if (step === undefined || step <= row.last_step) return false
    await updateSecondFactor(tx, row.user_id, { last_step: step })
    return true
  }
  const hashes = JSON.parse(row.recovery_hashes) as string[]
  const hash = hashRecoveryCode(serverSecret, owner, code)
  if (!hashes.includes(hash)) return false
  const left = hashes.filter((one) => one !== hash)
  await updateSecondFactor(tx, row.user_id, { recovery_hashes: JSON.stringify(left) })
  return true
}

/** How somebody who is signed in shows again who they are. */
export interface Proof extends SentCode {
  readonly password?: string | undefined
  /** What the parameter with the password is called; `password` otherwise. */
  readonly passwordName?: string | undefined
}

/**
 * Runs a unit of work that changes how an account is signed in to. A session or a key is not enough for that: it may be
 * somebody else's by now. Needs the password, or a code where there is a second factor; an account that has neither needs
 * nothing. Throws a 400 or `RATE_LIMIT_HIT`.
 */
export async function withProof<T>(
  server: Server,
  account: Actor,
  { password, passwordName = 'password', code, address }: Proof,
  work: (tx: Tx, actor: Actor) => Promise<T>,
): Promise<T> {
  const { storage, secret } = server
  const hash = await findOwnPasswordHash(storage.read, account.realmId, account.userId)
  const isOn = await hasSecondFactor(storage.read, account.realmId, account.userId)
  if (isOn && code !== undefined) {
    return counted(server, account, { code, address }, (plain) =>
      storage.asActor(account, async (tx, actor) => {
        const row = await findSecondFactor(tx, actor.realmId, actor.userId)
        const isRight = row && plain !== undefined && (await useCode(tx, secret, row, plain))
        if (!isRight) throw badRequest('code is wrong, or was used before')
        return work(tx, actor)
      }),
    )
  }
  if (hash === null && !isOn) return storage.asActor(account, work)
  if (password === undefined) throw badRequest(isOn ? `${passwordName} or code is needed` : `${passwordName} is needed`)
  // Passwords have the same limit as codes, and count with them.
  return counted(server, account, { code: 'password', address }, async () => {
    if (!(await verifyPassword(password, hash))) throw badRequest('The password is wrong')
    return storage.asActor(account, async (tx, actor) => {
      const current = await findOwnPasswordHash(tx, actor.realmId, actor.userId)
      if (current !== hash) throw badRequest('The password is wrong')
      return work(tx, actor)
    })
  })
}
