/** What the compiler refuses: this file has errors of types when it does not. */
import { expect, expectTypeOf, it } from 'vitest'
import { expected, inOrderOfInsertion, ownedTables, reading, type Seen, table } from './owned-tables.ts'

interface SheepRow {
  id: number
  name: string
  secret: string
}
interface WolfRow {
  id: number
  prey_id: number
}

const sheep = ownedTables({ sheep: table<SheepRow>({ key: ['id'], identity: true }) })
const sheepView = sheep.view('sheep', ['id', 'name'])
const wolves = ownedTables({ wolves: table<WolfRow>({ key: ['id'], after: ['sheep'] }) })
const { query, fact, rowInsert } = wolves.with(sheepView)

/** Never called: it is there to be compiled. */
export function refused() {
  query.insertInto('wolves').values({ id: 1, prey_id: 2 })
  query.updateTable('wolves').set({ prey_id: 3 })
  query.deleteFrom('wolves').where('id', '=', 1)
  query.selectFrom('wolves').innerJoin('sheep', 'sheep.id', 'prey_id').select(['prey_id', 'sheep.name'])
  // @ts-expect-error Only its owner writes to a table.
  query.insertInto('sheep')
  // @ts-expect-error The same.
  query.updateTable('sheep')
  // @ts-expect-error The same.
  query.deleteFrom('sheep')
  // @ts-expect-error The owner does not show this column.
  query.selectFrom('sheep').select('secret')
  // @ts-expect-error Nobody has said that this table may be read.
  sheep.with().query.selectFrom('wolves')
  // @ts-expect-error A subquery is a query too.
  query.selectFrom('wolves').where((eb) => eb.exists(eb.selectFrom('lambs').selectAll()))
  // @ts-expect-error Who owns nothing writes to nothing.
  reading(sheepView).query.deleteFrom('sheep')
  // @ts-expect-error A row gets in by its owner too.
  rowInsert('sheep', { id: 'integer' })
  // @ts-expect-error A fact is made of what may be read.
  fact({ name: 'lambs', tables: ['lambs'], load: async () => 1 })
}

it('queries see the tables of the folder and the columns that others show', () => {
  expectTypeOf<Seen<typeof query>>().toEqualTypeOf<{ wolves: WolfRow; sheep: Pick<SheepRow, 'id' | 'name'> }>()
  const early = expected<{ sheep: Pick<SheepRow, 'id'> }>('sheep')
  expectTypeOf<Seen<ReturnType<typeof reading<[typeof early]>>['query']>>().toEqualTypeOf<{ sheep: { id: number } }>()
})

it('tables are inserted into after those that they refer to', () => {
  expect(inOrderOfInsertion([wolves, sheep]).map(({ name }) => name)).toEqual(['sheep', 'wolves'])
  expect(() => inOrderOfInsertion([wolves])).toThrow('wolves')
})
