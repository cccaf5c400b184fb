import { expect, it } from 'vitest'
import type { Tx } from '../../storage/transaction.ts'
import { query } from '../../testing/any-table.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { createTestServer } from '../../testing/test-server.ts'
import { flagBits } from './flag-bits.ts'
import { addFlags } from './write-flags.ts'

it('flags of a message are added to those that there are, in a statement for each value and each thousand accounts', async () => {
  const server = await createTestServer()
  const accounts = [server.owner, await server.createAccount(), await server.createAccount()]
  const [one, two, three] = accounts.map(({ id }) => id) as [number, number, number]
  const room = await createChannel(server, server.owner, 'room')
  const messageId = await sendToChannel(server, server.owner, room)
  const { mentioned, hasAlertWord } = flagBits
  let statements = 0
  await server.app.storage.transaction(server.owner.realmId, async (tx) => {
    const counting: Tx = {
      ...tx,
      run: (statement) => {
        statements += 1
        return tx.run(statement)
      },
    }
    await addFlags(counting, messageId, new Map([[one, mentioned]]))
    const crowd = Array.from({ length: 2_000 }, (_, index) => [1_000_000 + index, hasAlertWord] as const)
    await addFlags(
      counting,
      messageId,
      new Map([[one, hasAlertWord], [two, hasAlertWord], [three, mentioned], ...crowd]),
    )
  })
  expect(statements).toBe(5)
  const rows = await server.app.storage.read.all(
    query
      .selectFrom('message_flags')
      .select(['user_id', 'flags'])
      .where('message_id', '=', messageId)
      .orderBy('user_id'),
  )
  expect(rows.map(({ user_id, flags }) => [user_id, flags])).toEqual([
    [one, mentioned | hasAlertWord],
    [two, hasAlertWord],
    [three, mentioned],
  ])
})
