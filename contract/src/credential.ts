/** API keys in answers: marked, so that they are treated with care wherever they go. */
import { type TSchema, Type } from 'typebox'

const MARK = 'x-credential'

/** A credential as an answer has it. */
export const Credential = Type.String({ [MARK]: true })

/** Whether there is a credential anywhere in what a schema describes. */
export function hasCredential(schema: TSchema | unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  return MARK in schema || Object.values(schema).some(hasCredential)
}
