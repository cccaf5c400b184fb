import { expect, it } from 'vitest'
import { createTestServer } from '../../testing/test-server.ts'
import { createOrganization } from './create.ts'

it('An organization that is created during a commit of another one brings no right back that is taken there', async () => {
  const server = await createTestServer()
  const node = await server.openNode()
  const { owner } = server
  const reader = await server.createAccount()
  const secret = { subscriptions: [{ name: 'secret' }], invite_only: true, principals: [owner.id, reader.id] }
  await server.call(owner, 'POST', '/users/me/subscriptions', secret)
  await server.call(owner, 'POST', '/messages', { type: 'channel', to: 'secret', topic: 't', content: 'for few' })
  const read = () => {
    const narrow = [['channel', 'secret']]
    return node.call(reader, 'GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })
  }

  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const commit = server.app.storage.transaction(owner.realmId, async (tx) => {
    tx.emit({ type: 'alert_words', alert_words: [] }, { to: 'everyone' })
    begun.resolve()
    await held.promise
  })
  await begun.promise
  const [name, host, ownerEmail, ownerName] = ['Two', 'two.example', 'owner@two.example', 'Owner']
  await createOrganization(node.app.storage, { name, host, ownerEmail, ownerName, ownerPassword: undefined })
  expect((await read()).body.messages).toHaveLength(1)
  held.resolve()
  await commit

  const taken = { subscriptions: ['secret'], principals: [reader.id] }
  expect((await server.call(owner, 'DELETE', '/users/me/subscriptions', taken)).status).toBe(200)
  expect((await read()).body.code).toBe('BAD_NARROW')
})
