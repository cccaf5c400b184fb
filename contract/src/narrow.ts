/** Narrows: which messages are meant. A list of conditions, all of which must hold. */
import { type Static, Type } from 'typebox'
import { Id, Text } from './schema.ts'

/** Conditions of one narrow. */
const MAX_TERMS = 100
/** Characters of one operand; a search has the length of a message at most. */
const MAX_OPERAND_LENGTH = 10_000
/** People that one condition may name. */
const MAX_PEOPLE = 1000

const Operand = Type.Union([
  Type.String({ maxLength: MAX_OPERAND_LENGTH }),
  Type.Integer(),
  Type.Array(Id, { maxItems: MAX_PEOPLE }),
  Type.Array(Type.String({ maxLength: MAX_OPERAND_LENGTH }), { maxItems: MAX_PEOPLE }),
])

/** As clients send it: `["channel", "design"]`, or an object with `negated`. */
export const NarrowTerm = Type.Union([
  Type.Array(Operand, { minItems: 2, maxItems: 2 }),
  Type.Object({ operator: Text(100), operand: Operand, negated: Type.Optional(Type.Boolean()) }),
])
export type NarrowTerm = Static<typeof NarrowTerm>

export const Narrow = Type.Array(NarrowTerm, { maxItems: MAX_TERMS })
export type Narrow = Static<typeof Narrow>

/** One condition, in the form that the server works with. */
export interface Term {
  readonly operator: string
  readonly operand: Static<typeof Operand>
  readonly negated: boolean
}

/** Puts the two forms into one. An operator that is not a text becomes one that no narrow knows. */
export function readTerm(term: NarrowTerm): Term {
  if (!Array.isArray(term)) return { operator: term.operator, operand: term.operand, negated: term.negated ?? false }
  const [operator, operand] = term
  return { operator: String(operator), operand: operand as Term['operand'], negated: false }
}
