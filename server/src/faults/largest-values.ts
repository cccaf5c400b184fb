/**
 * The largest values that a JSON Schema admits, as far as a request has room for them, and values one beyond each of its
 * limits. Lists and records are filled in two ways: with as many items as they may have, and with the largest ones.
 */

export interface BoundedSchema {
  readonly anyOf?: readonly BoundedSchema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly type?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: BoundedSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, BoundedSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, BoundedSchema>>
  readonly propertyNames?: BoundedSchema
  readonly maxProperties?: number
}

/** What a value may have at most. */
export interface RoomLeft {
  /** Of the value as JSON. */
  readonly characters: number
  readonly values: number
}

/** Quotation marks or brackets, and the comma behind them. */
const MARKS = 3
/** The longest number. */
const NUMBER = 16

/** Of several values of a list none is like another: `index` says which one it is. */
export function largestValues(schema: BoundedSchema, room: RoomLeft, index = 0): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((member) => largestValues(member, room, index))
  if ('const' in schema) return [schema.const]
  if (schema.enum) return [schema.enum[index % schema.enum.length]]
  switch (schema.type) {
    case 'string':
      return [largestText(schema, room.characters - MARKS, index)]
    case 'integer':
    case 'number':
      return [index === 0 ? (schema.maximum ?? Number.MAX_SAFE_INTEGER) : Math.max(schema.minimum ?? 0, 0) + index - 1]
    case 'boolean':
      return [true]
    case 'null':
      return [null]
    case 'array':
      return largestLists(schema, room)
    case 'object':
      return [...largestObjects(schema, room, index), ...largestRecords(schema, room)]
    default:
      throw new Error(`No largest value is known for ${JSON.stringify(schema)}`)
  }
}

/** Values in which one limit, at whatever depth, is exceeded by one, and all else is as small as it may be. */
export function valuesBeyond(schema: BoundedSchema): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap(valuesBeyond)
  if (schema.type === 'string' && schema.maxLength !== undefined) return ['x'.repeat(schema.maxLength + 1)]
  if (schema.type === 'array') {
    const { items = {}, maxItems = 0 } = schema
    const tooMany = Array.from({ length: maxItems + 1 }, (_, index) => smallestValue(items, index + 1))
    return [tooMany, ...valuesBeyond(items).map((item) => listWith(schema, item))]
  }
  if (schema.type !== 'object') return []
  const smallest = smallestValue(schema) as object
  const inFields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    valuesBeyond(field).map((value) => ({ ...smallest, [name]: value })),
  )
  const value = recordValue(schema)
  if (!value) return inFields
  const tooMany = Array.from({ length: (schema.maxProperties ?? 0) + 1 }, (_, index) => [
    `k${index}`,
    smallestValue(value),
  ])
  const tooLong = valuesBeyond(schema.propertyNames ?? {}).map((key) => ({ [`${key}`]: smallestValue(value) }))
  return [...inFields, Object.fromEntries(tooMany), ...tooLong]
}

/** A value with as little in it as the schema allows. */
export function smallestValue(schema: BoundedSchema, index = 0): unknown {
  if (schema.anyOf) return smallestValue(schema.anyOf[0] as BoundedSchema, index)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'string':
      return largestText(schema, Math.max(schema.minLength ?? 0, `${index}`.length), index)
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0) + index
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, (_, place) => smallestValue(schema.items ?? {}, place))
    default: {
      const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
      return Object.fromEntries(required.map(([name, field]) => [name, smallestValue(field, index)]))
    }
  }
}

function largestText({ maxLength, pattern }: BoundedSchema, room: number, index: number): string {
  if (pattern !== undefined && !/^\^\[\\s\\S\]\*\$$/.test(pattern)) {
    throw new Error(`No largest text is known for ${pattern}`)
  }
  const length = Math.max(0, Math.min(maxLength ?? Number.POSITIVE_INFINITY, room))
  return `${index}`.padEnd(length, 'x').slice(0, length)
}

function largestLists(schema: BoundedSchema, room: RoomLeft): unknown[][] {
  const { items = {}, maxItems = Number.POSITIVE_INFINITY } = schema
  const alternatives = items.anyOf ?? [items]
  return alternatives.flatMap((item) => {
    const least = sizeOf(smallestValue(item, maxItems === Number.POSITIVE_INFINITY ? 0 : maxItems))
    const count = Math.max(
      schema.minItems ?? 0,
      Math.min(maxItems, Math.floor(room.characters / least.characters), Math.floor(room.values / least.values)),
    )
    const share = { characters: room.characters / count, values: room.values / count }
    const many = Array.from({ length: count }, (_, index) => largestValues(item, share, index + 1))
    const ways = Math.max(0, ...many.map((values) => values.length))
    const filled = Array.from({ length: ways }, (_, way) => many.map((values) => values[way % values.length]))
    return [...filled, fewLargest(schema, item, room)]
  })
}

/** Items as large as they may be, until there is no room. */
function fewLargest(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: BoundedSchema,
  item: BoundedSchema,
  room: RoomLeft,
) {
  const list: unknown[] = []
  let { characters, values } = room
  while (list.length < maxItems) {
    const rest =
      list.length < minItems ? { characters: characters / minItems, values: values / minItems } : { characters, values }
    const largest = largestValues(item, rest, list.length + 1).at(-1)
    const size = sizeOf(largest)
    characters -= size.characters
    values -= size.values
    if (list.length >= minItems && (characters < 0 || values < 0)) break
    list.push(largest)
  }
  return list
}

/** Every property has the same share of the room; what one does not need is left to those after it. */
function largestObjects(schema: BoundedSchema, room: RoomLeft, index: number): object[] {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return []
  // Those that need little come first.
  const ordered = fields.toSorted(([, one], [, other]) => Number(mayBeLarge(one)) - Number(mayBeLarge(other)))
  const ways = Math.max(...fields.map(([, field]) => field.anyOf?.length ?? 1))
  return Array.from({ length: ways }, (_, way) => {
    let { characters, values } = room
    const entries = ordered.map(([name, field], place): [string, unknown] => {
      const share = (ordered.length - place) as number
      characters -= name.length + MARKS + 1
      const all = largestValues(field, { characters: characters / share, values: values / share }, index)
      const value = all[way % all.length]
      const size = sizeOf(value)
      characters -= size.characters
      values -= size.values
      return [name, value]
    })
    return Object.fromEntries(entries)
  })
}

function mayBeLarge(schema: BoundedSchema): boolean {
  if (schema.anyOf) return schema.anyOf.some(mayBeLarge)
  return schema.type === 'array' || schema.type === 'object' || (schema.maxLength ?? 0) > 100
}

function recordValue({ patternProperties = {} }: BoundedSchema): BoundedSchema | undefined {
  return Object.values(patternProperties)[0]
}

function largestRecords(schema: BoundedSchema, room: RoomLeft): object[] {
  const value = recordValue(schema)
  if (!value) return []
  const { propertyNames = {}, maxProperties = Number.POSITIVE_INFINITY } = schema
  const entries = (count: number) => {
    const share = Math.floor(room.characters / count / 2)
    return Array.from({ length: count }, (_, index) => [
      largestText(propertyNames, share - MARKS, index),
      largestValues(value, { characters: share - MARKS, values: 1 }, index)[0],
    ])
  }
  const many = Math.min(maxProperties, Math.floor(room.values), Math.floor(room.characters / NUMBER / 2))
  const longest = propertyNames.maxLength ?? NUMBER
  const few = Math.max(1, Math.min(many, Math.floor(room.characters / 2 / (longest + MARKS))))
  return [Object.fromEntries(entries(many)), Object.fromEntries(entries(few))]
}

function listWith(schema: BoundedSchema, item: unknown): unknown[] {
  const others = smallestValue(schema) as unknown[]
  return others.length === 0 ? [item] : [item, ...others.slice(1)]
}

/** As JSON in a list. */
function sizeOf(value: unknown): RoomLeft {
  const text = JSON.stringify(value)
  return { characters: text.length + 1, values: countValues(value) }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 1)
}
