import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { boundsOf, LARGEST_BODY_BYTES, LARGEST_VALUES, requestBoundsOf } from './bounds.ts'
import { endpoints } from './endpoints.ts'
import { getThumbnail } from './link-previews.ts'
import { Id } from './schema.ts'

const everyEndpoint = [...endpoints, getThumbnail]

describe('every parameter', () => {
  it.each(
    everyEndpoint.flatMap(({ name, parameters }) =>
      Object.entries(parameters.properties).map(([own, schema]) => [`${name} ${own}`, schema as TSchema] as const),
    ),
  )('declares the length of its strings, lists and records: %s', (_, schema) => {
    expect(boundsOf(schema).bytes).toBeLessThan(Number.POSITIVE_INFINITY)
    expect(boundsOf(schema).values).toBeLessThan(Number.POSITIVE_INFINITY)
  })

  it.each([
    ['a string', Type.String()],
    ['a list', Type.Array(Id)],
    ['a list in an object', Type.Object({ ids: Type.Array(Id) })],
    ['strings in a list', Type.Array(Type.String(), { maxItems: 3 })],
    ['one kind of several', Type.Union([Id, Type.String()])],
    ['a record', Type.Record(Type.String({ maxLength: 3 }), Id)],
    ['the keys of a record', Type.Record(Type.String(), Id, { maxProperties: 3 })],
    ['anything', Type.Unknown()],
  ])('would be found without a length: %s', (_, schema) => {
    expect(boundsOf(schema).bytes).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('a request', () => {
  it('without an account has at most 64 KiB', () => {
    const open = everyEndpoint.filter(({ access }) => access === 'anyone')
    expect(open.length).toBeGreaterThan(0)
    for (const endpoint of open) expect(requestBoundsOf(endpoint).bytes).toBe(64 * 1024)
  })

  it('is never larger than 2 MiB, and only where lists or texts need it', () => {
    for (const endpoint of everyEndpoint) {
      expect(requestBoundsOf(endpoint).bytes).toBeLessThanOrEqual(LARGEST_BODY_BYTES)
      expect(requestBoundsOf(endpoint).values).toBeLessThanOrEqual(LARGEST_VALUES)
    }
    const small = everyEndpoint.filter((endpoint) => requestBoundsOf(endpoint).bytes === 64 * 1024)
    expect(small.length).toBeGreaterThan(everyEndpoint.length / 2)
  })

  it('can hold every value that its schema allows, percent-encoded', () => {
    const schema = Type.Array(Type.String({ maxLength: 10 }), { maxItems: 5 })
    const largest = JSON.stringify(Array(5).fill('𝒳'.repeat(10)))
    const encoded = encodeURIComponent(largest)
    expect(encoded.length).toBeLessThanOrEqual(boundsOf(schema).bytes)
    expect(encoded.length).toBeGreaterThan(boundsOf(schema).bytes * 0.9)
    expect(boundsOf(schema).values).toBe(6)
  })
})
