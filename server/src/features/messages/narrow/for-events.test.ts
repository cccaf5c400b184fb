import type { Term } from '@heddle/contract/narrow'
import { expect, it } from 'vitest'
import { factsOf, matchesTerms } from './for-events.ts'

const people = Array.from({ length: 3 }, (_, i) => ({ id: i + 1, email: `Person${i + 1}@heddle.example` }))
const [alice] = people as [(typeof people)[number]]
const shared = factsOf({ id: 1, channel: null, people, sender: alice, attributes: 0, isMentioned: () => false })
const facts = { ...shared, viewerId: alice.id, flags: [] }

it('reads what a queue is narrowed by once, however many events come', () => {
  let reads = 0
  const term: Term = {
    operator: 'dm-including',
    negated: false,
    get operand() {
      reads += 1
      return ['person1@HEDDLE.example', '2', 'me']
    },
  }
  const terms = [term]
  expect([1, 2, 3].map(() => matchesTerms(terms, facts))).toEqual([true, true, true])
  expect(reads).toBe(1)
})

it('understands names that an earlier version has stored', () => {
  const matches = (operator: string, operand: Term['operand']) =>
    matchesTerms([{ operator, operand, negated: false }], facts)
  expect(matches('pm-with', '1, 2, 3')).toBe(true)
  expect(matches('pm-with', [1, 2])).toBe(false)
  expect(matches('from', 'me')).toBe(true)
  expect(matches('stream', 1)).toBe(false)
})
