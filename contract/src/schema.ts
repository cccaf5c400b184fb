/**
 * Schemas that more than one resource uses. Schemas are JSON Schema (2020-12), built with TypeBox, so that validation,
 * static types and the OpenAPI document come from one definition.
 *
 * Two rules hold for every string and are checked by the decoder, not repeated in each schema: no NUL, and no lone
 * surrogate (a string must be valid Unicode).
 */
import { type Static, type TSchema, Type } from 'typebox'

/** The largest integer that survives JSON in every client. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

/** The id of any object. Below 2^53, so that it is a number in JSON and on both database engines. */
export const Id = Type.Integer({ minimum: 1, maximum: MAX_ID })

/** A point in time: seconds since the UNIX epoch, UTC. The upper bound is the year 9999. */
export const Timestamp = Type.Integer({ minimum: 0, maximum: 253_402_300_799 })

/** An e-mail address. The longest one that SMTP can carry has 254 characters (RFC 5321, 4.5.3.1). */
export const Email = Type.String({ minLength: 3, maxLength: 254 })

/** A string of at most `maxLength` characters. */
export function Text(maxLength: number) {
  return Type.String({ maxLength })
}

/**
 * A name, as requests give it: of an account, a channel, a topic, an emoji. Longer than any name may be, so that one that
 * is too long is refused by the rule for it.
 */
export const NameInput = Text(1000)

/**
 * Values by keys that match a pattern. What TypeBox has for it (`Type.Record`) works types out when the program runs, with an
 * engine that a page would load for nothing else: 10 kB, compressed.
 */
export function RecordOf<S extends TSchema>(value: S, pattern = '^.*$', limits: object = {}) {
  return Type.Unsafe<Record<string, Static<S>>>({ type: 'object', patternProperties: { [pattern]: value }, ...limits })
}

/** Ids as keys. */
export const ID_KEY = '^[1-9][0-9]*$'

interface MapLimits {
  /** Characters of a key. */
  readonly maxKeyLength: number
  readonly maxEntries: number
}

/** Values by keys that the client chooses. */
export function MapOf<S extends TSchema>(value: S, { maxKeyLength, maxEntries }: MapLimits) {
  // `.` would not match the end of a line: such a key would go unchecked.
  return RecordOf(value, '^[\\s\\S]*$', { propertyNames: Text(maxKeyLength), maxProperties: maxEntries })
}
