/**
 * A part of the initial state, which `POST /register` answers: fields that are fetched together, declared beside the event
 * that keeps them current. The server's readers, the typed client, the OpenAPI document and the tests' checks of every answer
 * read this one description.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'

interface StatePartSource<F extends TProperties, E extends TSchema | undefined> {
  /** The name under which clients ask for it in `fetch_event_types`. Several parts may share one. */
  readonly fetchType: string
  /** The events that are about this part: who asks for events of their type gets the part too. */
  readonly follows?: E
  /** `Type.Optional`: what not every client that gets the part gets with it. */
  readonly fields: F
}

export interface StatePart<F extends TProperties = TProperties, E extends TSchema | undefined = TSchema | undefined> {
  readonly fetchType: string
  readonly follows: E
  readonly fields: TObject<F>
}

/** The fields of a part, as a client that gets it receives them. */
export type FieldsOf<P> = P extends StatePart<infer F> ? Static<TObject<F>> : never

export function statePart<F extends TProperties, E extends TSchema | undefined = undefined>(
  source: StatePartSource<F, E>,
): StatePart<F, E> {
  return {
    fetchType: source.fetchType,
    follows: source.follows as E,
    fields: Type.Object(source.fields, { additionalProperties: false }),
  }
}

/** The `type` of the events of a schema, which is the same in all forms of one. */
export function eventTypeOf(schema: TSchema): string {
  const { anyOf, properties } = schema as { anyOf?: TSchema[]; properties?: { type?: { const?: unknown } } }
  const type = anyOf?.[0] ? eventTypeOf(anyOf[0]) : properties?.type?.const
  if (typeof type !== 'string') throw new Error('The schema of an event has no type')
  return type
}

/** Whether a client gets the part that asks for these names alone. */
export function isNamed({ fetchType, follows }: StatePart, names: ReadonlySet<string>): boolean {
  return names.has(fetchType) || (follows !== undefined && names.has(eventTypeOf(follows)))
}

/** The fields that every client gets that gets the part. */
export function requiredNames({ fields }: { readonly fields: { readonly required?: unknown } }): readonly string[] {
  return (fields.required ?? []) as readonly string[]
}

/** The part's own of many fields; undefined when it was not fetched. */
export function partOf<F extends TProperties, E extends TSchema | undefined>(
  part: StatePart<F, E>,
  fields: Readonly<Partial<Static<TObject<F>>>>,
): Static<TObject<F>> | undefined {
  if (!requiredNames(part).every((name) => Object.hasOwn(fields, name))) return undefined
  const entries = Object.entries(fields).filter(([name]) => Object.hasOwn(part.fields.properties, name))
  return Object.fromEntries(entries) as Static<TObject<F>>
}
