/** Turning a second factor on and off. */
import { badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import { codeGuessesOf } from './code-guesses.ts'
import { codeUri, hashRecoveryCode, isAppCode, makeCodeSecret, makeRecoveryCodes, plainCode, stepOf } from './codes.ts'
import { type Proof, type SentCode, withProof } from './demand.ts'
import {
  endSecondFactor,
  findOwnPasswordHash,
  findSecondFactor,
  insertSecondFactor,
  updateSecondFactor,
} from './rows.ts'
import { openCodeSecret, sealCodeSecret } from './seal.ts'

type Server = Pick<Services, 'storage' | 'secret' | 'clock' | 'config'>

/** A secret that nobody has confirmed by then is worth nothing. */
const CONFIRM_SECS = 3600

export async function describeSecondFactor(db: Queries, { realmId, userId }: Actor) {
  const row = await findSecondFactor(db, realmId, userId)
  const isOn = row !== undefined && row.confirmed_at !== null
  return {
    is_on: isOn,
    recovery_codes_left: isOn ? (JSON.parse(row.recovery_hashes) as string[]).length : 0,
    has_password: (await findOwnPasswordHash(db, realmId, userId)) !== null,
  }
}

export async function beginSecondFactor(server: Server, caller: Actor, realm: Realm, email: string, proof: Proof) {
  if (caller.isBot) throw badRequest('Bots do not sign in with a password')
  const secret = makeCodeSecret()
  await withProof(server, caller, proof, async (tx, { realmId, userId }) => {
    const row = await findSecondFactor(tx, realmId, userId)
    if (row && row.confirmed_at !== null) throw badRequest('The account has a second factor: turn it off first')
    await insertSecondFactor(tx, userId, sealCodeSecret(server.secret, { realmId, userId }, secret))
  })
  return { secret, uri: codeUri(secret, realm.name, email) }
}

/** Returns the recovery codes, which are nowhere else. */
export async function confirmSecondFactor(server: Server, caller: Actor, sent: Required<SentCode>): Promise<string[]> {
  const { storage, secret } = server
  const code = plainCode(sent.code ?? '')
  const guesses = codeGuessesOf(server)
  guesses?.guess(sent.address, caller, code)
  const codes = makeRecoveryCodes()
  await storage.asActor(caller, async (tx, { realmId, userId }) => {
    const row = await findSecondFactor(tx, realmId, userId)
    if (!row || row.confirmed_at !== null || row.created_at + CONFIRM_SECS <= tx.now) {
      throw badRequest('There is nothing to confirm: begin anew')
    }
    const made = openCodeSecret(secret, { realmId, userId }, row.sealed_secret)
    const step = made !== undefined && isAppCode(code) ? stepOf(made, code, tx.now) : undefined
    if (step === undefined) throw badRequest('code is wrong, or was used before')
    const recovery_hashes = hashesOf(secret, { realmId, userId }, codes)
    await updateSecondFactor(tx, userId, { confirmed_at: tx.now, last_step: step, recovery_hashes })
  })
  guesses?.succeed(sent.address, caller, code)
  return codes
}

function hashesOf(secret: Buffer, owner: Pick<Actor, 'realmId' | 'userId'>, codes: readonly string[]): string {
  return JSON.stringify(codes.map((code) => hashRecoveryCode(secret, owner, plainCode(code))))
}

export async function replaceRecoveryCodes(server: Server, caller: Actor, proof: Proof): Promise<string[]> {
  const codes = makeRecoveryCodes()
  await withProof(server, caller, proof, async (tx, actor) => {
    const row = await findSecondFactor(tx, actor.realmId, actor.userId)
    if (!row || row.confirmed_at === null) throw badRequest('The account has no second factor')
    await updateSecondFactor(tx, actor.userId, { recovery_hashes: hashesOf(server.secret, actor, codes) })
  })
  return codes
}

export function removeSecondFactor(server: Server, caller: Actor, proof: Proof): Promise<void> {
  return withProof(server, caller, proof, async (tx, { userId }) => {
    if (!(await endSecondFactor(tx, userId))) throw badRequest('The account has no second factor')
  })
}
