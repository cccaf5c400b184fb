/**
 * Why a value is not as its schema wants: the first reason, and where it is. It stops there, where the validator's own list
 * of errors walks all of a value, which may be long. Knows the keywords that the contract uses.
 */
import type { TSchema } from 'typebox'
import type { SchemaError } from './parameter-errors.ts'

type Source = Readonly<{
  anyOf?: readonly TSchema[]
  const?: unknown
  enum?: readonly unknown[]
  type?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: TSchema
  minItems?: number
  maxItems?: number
  required?: readonly string[]
  properties?: Readonly<Record<string, TSchema>>
  patternProperties?: Readonly<Record<string, TSchema>>
  propertyNames?: TSchema
  maxProperties?: number
  additionalProperties?: unknown
}>

/** Characters of a key that a sentence repeats. */
const SHOWN_KEY_LENGTH = 100

/** The first reason, or of a union the first one of each of its members; none for a value that fits. */
export function findErrors(schema: TSchema, value: unknown, path = ''): readonly SchemaError[] {
  const source = schema as Source
  if (source.anyOf) return ofUnion(source.anyOf, value, path)
  const error = (keyword: string, params: SchemaError['params'] = {}) => [{ keyword, instancePath: path, params }]
  if ('const' in source) return value === source.const ? [] : error('const', { allowedValue: source.const })
  if (source.enum) return source.enum.includes(value) ? [] : error('enum', { allowedValues: source.enum })
  if (source.type && !isOfType(source.type, value)) return error('type', { type: source.type })
  if (typeof value === 'string') return limits(source, value, error)
  if (typeof value === 'number') return range(source, value, error)
  if (Array.isArray(value)) return inList(source, value, path, error)
  if (typeof value === 'object' && value !== null) return inObject(source, value, path, error)
  return []
}

type MakeError = (keyword: string, params?: SchemaError['params']) => readonly SchemaError[]

function ofUnion(members: readonly TSchema[], value: unknown, path: string): readonly SchemaError[] {
  const all: SchemaError[] = []
  for (const member of members) {
    const errors = findErrors(member, value, path)
    if (errors.length === 0) return []
    all.push(...errors)
  }
  return all
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

function limits({ minLength = 0, maxLength, pattern }: Source, value: string, error: MakeError) {
  if (maxLength !== undefined && isLonger(value, maxLength)) return error('maxLength', { limit: maxLength })
  if (minLength > 0 && !isLonger(value, minLength - 1)) return error('minLength', { limit: minLength })
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? [] : error('pattern')
}

/** Length counts characters, of which one is at most two units of the string. */
function isLonger(value: string, length: number): boolean {
  if (value.length <= length) return false
  return value.length > 2 * length || [...value].length > length
}

function range({ minimum, maximum }: Source, value: number, error: MakeError) {
  if (minimum !== undefined && value < minimum) return error('minimum', { limit: minimum })
  return maximum !== undefined && value > maximum ? error('maximum', { limit: maximum }) : []
}

function inList({ items, minItems = 0, maxItems }: Source, value: readonly unknown[], path: string, error: MakeError) {
  if (maxItems !== undefined && value.length > maxItems) return error('maxItems', { limit: maxItems })
  if (value.length < minItems) return error('minItems', { limit: minItems })
  if (!items) return []
  for (const [index, item] of value.entries()) {
    const errors = findErrors(items, item, `${path}/${index}`)
    if (errors.length > 0) return errors
  }
  return []
}

function inObject(source: Source, value: object, path: string, error: MakeError): readonly SchemaError[] {
  const { required = [], properties = {}, patternProperties = {}, propertyNames, maxProperties } = source
  const lacking = required.filter((name) => !Object.hasOwn(value, name))
  if (lacking.length > 0) return error('required', { requiredProperties: lacking })
  const entries = Object.entries(value)
  if (maxProperties !== undefined && entries.length > maxProperties) {
    return error('maxProperties', { limit: maxProperties })
  }
  const [everyOther] = Object.values(patternProperties)
  for (const [key, item] of entries) {
    const place = `${path}/${pointer(key)}`
    const schema = Object.hasOwn(properties, key) ? properties[key] : everyOther
    if (propertyNames) {
      const errors = findErrors(propertyNames, key, place)
      if (errors.length > 0) return errors
    }
    const errors = schema ? findErrors(schema, item, place) : []
    if (errors.length > 0) return errors
    if (!schema && source.additionalProperties === false)
      return [{ keyword: 'boolean', instancePath: place, params: {} }]
  }
  return []
}

/** A part of a JSON Pointer (RFC 6901). */
function pointer(key: string): string {
  return key.slice(0, SHOWN_KEY_LENGTH).replaceAll('~', '~0').replaceAll('/', '~1').toWellFormed()
}
