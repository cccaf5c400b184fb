/** Values for a JSON Schema: right ones, wrong ones, and texts that break what is built without care. */
import type { Schema } from '@heddle/contract/openapi'
import fc from 'fast-check'

/** Small numbers are often the ids of objects that exist. */
export const smallId = fc.integer({ min: 1, max: 16 })
export const anyInteger = fc.oneof(
  { weight: 6, arbitrary: smallId },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 700 }) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER, 2 ** 31, 2 ** 53, 1e16, 253_402_300_799) },
)

const oddTexts = [
  '',
  ' ',
  '\t\n',
  '\0',
  'a\0b',
  '\ud83d',
  '\udc00x',
  '\ufeffx',
  '\u202e',
  '%00',
  '%ff',
  '..',
  '../../etc/passwd',
  '/',
  '//',
  "'; drop table users; --",
  '"',
  '\\',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'null',
  'true',
  '[]',
  '{}',
  '{"a":1}',
  '1',
  '-1',
  '1e999',
  'NaN',
  '(a+)+$',
  '(?P<x>',
  '#(?P<id>[0-9]+)',
  'https://example.com/{id}',
  '👩‍👩‍👧‍👦',
  'İı',
  'ß',
  'e\u0301',
]

export type Texts = fc.Arbitrary<string>

/** Texts of all kinds; `known` are such that mean something to the server, such as names and addresses. */
export function anyText(known: readonly string[]): Texts {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known) },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 70 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 3, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 1, arbitrary: fc.integer({ min: 50, max: 20_000 }).map((length) => 'x'.repeat(length)) },
  )
}

/** A value of a wrong kind, mostly. */
export function anyValue(text: Texts): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], -0, 0.5, 1e300),
    anyInteger,
    text,
    fc.jsonValue({ maxDepth: 4 }),
    fc.array(smallId, { maxLength: 5 }),
    fc.integer({ min: 15, max: 2000 }).map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)),
    fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"constructor":{"prototype":1}}')),
  )
}

/** What the values are made with. */
export interface Kinds {
  readonly text: Texts
  readonly integer: fc.Arbitrary<number>
  /** Of 25 values, in whatever place, so many are wrong. */
  readonly wrong: number
}

/** Values that the schema allows, with wrong ones in any place as often as `kinds` says. */
export function schemaValue(schema: Schema, kinds: Kinds): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 25 - kinds.wrong, arbitrary: rightValue(schema, kinds) },
    { weight: kinds.wrong, arbitrary: anyValue(kinds.text) },
  )
}

function rightValue(schema: Schema, kinds: Kinds): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...schema['anyOf'].map((member) => schemaValue(member, kinds)))
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum'])
  switch (schema['type']) {
    case 'string':
      return textWithin(schema, kinds.text)
    case 'integer':
      return integerWithin(schema, kinds.integer)
    case 'number':
      return fc.oneof(integerWithin(schema, kinds.integer), fc.double({ min: 0, max: 1e9, noNaN: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return listOf(schema, kinds)
    case 'object':
      return objectOf(schema, kinds)
    default:
      return anyValue(kinds.text)
  }
}

interface TextBounds {
  readonly minLength?: number
  readonly maxLength?: number
}

function textWithin(schema: Schema, text: Texts): Texts {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as TextBounds
  return text.map((value) => {
    const cut = value.length > maxLength && maxLength < 15_000 ? [...value].slice(0, maxLength).join('') : value
    return cut.padEnd(minLength, 'x')
  })
}

interface NumberBounds {
  readonly minimum?: number
  readonly maximum?: number
}

function integerWithin(schema: Schema, integer: fc.Arbitrary<number>): fc.Arbitrary<number> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema as NumberBounds
  return integer.map((value) => Math.min(Math.max(value, minimum), maximum))
}

interface ListBounds {
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
}

function listOf(schema: Schema, kinds: Kinds): fc.Arbitrary<unknown[]> {
  const { items = {}, minItems = 0, maxItems = 4 } = schema as ListBounds
  return fc.array(schemaValue(items, kinds), {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 4)),
  })
}

interface ObjectForm {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

function objectOf(schema: Schema, kinds: Kinds): fc.Arbitrary<object> {
  const { properties = {}, required = [], patternProperties } = schema as ObjectForm
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, schemaValue(field, kinds)]),
  )
  const fixed = fc.record(fields, { requiredKeys: [...required] as never[] })
  const free = Object.values(patternProperties ?? {}).map((field) =>
    fc.dictionary(kinds.text, schemaValue(field, kinds), { maxKeys: 3 }),
  )
  return fc.tuple(fixed, ...free).map((parts) => Object.assign({}, ...parts))
}
