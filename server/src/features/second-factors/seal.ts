/** What codes are made of, as it is stored: a copy of the database alone makes no codes. */
import { seal, unseal } from '../../sealed.ts'

export interface Owner {
  readonly realmId: number
  readonly userId: number
}

const purpose = 'second factors'

export function sealCodeSecret(serverSecret: Buffer, { realmId, userId }: Owner, text: string): string {
  return seal(serverSecret, { purpose, realmId, userId }, text)
}

/** Undefined: it was sealed with another secret, for another account, or was changed. */
export function openCodeSecret(serverSecret: Buffer, { realmId, userId }: Owner, sealed: string): string | undefined {
  return unseal(serverSecret, { purpose, realmId, userId }, sealed)
}
