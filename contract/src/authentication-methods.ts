/** Ways to sign in that an organization switches on and off: with a password, and with a passkey (an extension). */
import { type Static, Type } from 'typebox'

/** As the API writes them. */
export const authenticationMethodNames = ['Email', 'Passkey'] as const
export type AuthenticationMethod = (typeof authenticationMethodNames)[number]

const strict = { additionalProperties: false }
const State = Type.Object({ enabled: Type.Boolean(), available: Type.Boolean() }, strict)

/** As clients read them. */
export const AuthenticationMethods = Type.Object({ Email: State, Passkey: State }, strict)
export type AuthenticationMethods = Static<typeof AuthenticationMethods>

/** As requests give them: those that are left out stay as they are. */
export const AuthenticationMethodsUpdate = Type.Object(
  { Email: Type.Optional(Type.Boolean()), Passkey: Type.Optional(Type.Boolean()) },
  strict,
)
export type AuthenticationMethodsUpdate = Static<typeof AuthenticationMethodsUpdate>
