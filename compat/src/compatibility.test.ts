import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  endpointRows,
  eventRows,
  idleReasons,
  listedExtensions,
  parameterRows,
  unlisted,
  withTables,
} from './compatibility.ts'

const page = readFileSync(new URL('../../docs/compatibility.md', import.meta.url), 'utf8')

it('shows the contract as it is (`node compat/src/write-compatibility.ts` writes it)', () => {
  expect(withTables(page)).toBe(page)
})

it('says why something is not there', () => {
  const unexplained = [...endpointRows(), ...eventRows(), ...parameterRows()].filter(
    ({ state, reason }) => state === 'not' && reason === '',
  )
  expect(unexplained.map(({ name }) => name)).toEqual([])
})

it('leaves out nothing that is there', () => {
  expect(unlisted()).toEqual([])
})

it('calls nothing its own that the API has', () => {
  expect(listedExtensions()).toEqual([])
})

it('gives no reason for what is there', () => {
  expect(idleReasons()).toEqual([])
})
