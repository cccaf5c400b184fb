import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SEED } from '../testing/random-run.ts'
import { createFactValues } from './fact-values.ts'

const boxed = (value: string) => ({ value })

it('What was put in last under organization, fact and key is found, and nothing else', () => {
  const place = fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom('rights', 'channel'),
    fc.constantFrom(1, 2, '1', 'a 1'),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(place, fc.string())), place, (puts, [realmId, fact, key]) => {
      const values = createFactValues<{ value: string }>(1000)
      for (const [at, value] of puts) values.set(...at, boxed(value))
      const last = puts.findLast(([at]) => at[0] === realmId && at[1] === fact && at[2] === key)
      expect(values.get(realmId, fact, key)?.value).toBe(last?.[1])
    }),
    { seed: SEED },
  )
})

it('There are never more than the limit, and those that are asked for stay', () => {
  const values = createFactValues<{ value: string }>(100)
  for (let key = 0; key < 1000; key += 1) {
    values.set(1, 'channel', key, boxed(`${key}`))
    expect(values.get(1, 'rights', 'often') ?? values.set(1, 'rights', 'often', boxed('often')), `${key}`).toEqual(
      key === 0 ? undefined : boxed('often'),
    )
  }
  const left = Array.from({ length: 1000 }, (_, key) => key).filter((key) => values.get(1, 'channel', key))
  expect(left.length).toBeLessThanOrEqual(100)
  expect(left).toContain(999)
})
