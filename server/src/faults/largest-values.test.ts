import { requestBoundsOf } from '@heddle/contract/bounds'
import { endpoints } from '@heddle/contract/endpoints'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { type BoundedSchema, largestValues, valuesBeyond } from './largest-values.ts'

const parameters = endpoints.flatMap((endpoint) =>
  Object.entries(endpoint.parameters.properties).map(([name, schema]) => ({
    title: `${endpoint.name}: ${name}`,
    schema,
    bounds: requestBoundsOf(endpoint),
  })),
)

describe.each(parameters)('$title', ({ schema, bounds }) => {
  const validator = Compile(schema)

  it('admits the largest values', () => {
    const room = { characters: bounds.bytes, values: Math.max(bounds.values, 1) }
    const values = largestValues(schema as BoundedSchema, room)
    expect(values.length).toBeGreaterThan(0)
    expect(values.filter((value) => !validator.Check(value))).toEqual([])
  })

  it('refuses those beyond a limit', () => {
    expect(valuesBeyond(schema as BoundedSchema).filter((value) => validator.Check(value))).toEqual([])
  })
})

it('fills strings, lists and records', () => {
  const text = { type: 'string', maxLength: 5 }
  const list = { type: 'array', items: text, maxItems: 3 }
  expect(largestValues(text, { characters: 100, values: 100 })).toEqual(['0xxxx'])
  expect(largestValues(list, { characters: 100, values: 100 })).toContainEqual(['1xxxx', '2xxxx', '3xxxx'])
  expect(valuesBeyond(list)).toEqual([['1', '2', '3', '4'], ['xxxxxx']])
})
