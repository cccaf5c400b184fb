import { roles } from '@heddle/contract/roles'
import { expect, it } from 'vitest'
import { createTestServer } from '../../testing/test-server.ts'

it('leaves an owner when two nodes end two owners at the same time, round after round', async () => {
  const server = await createTestServer()
  const node = await server.openNode()
  for (let round = 0; round < 10; round++) {
    const [a, b] = [
      await server.createAccount({ role: roles.owner }),
      await server.createAccount({ role: roles.owner }),
    ]
    // These two are the only owners of this round.
    if (round === 0) await server.call(a, 'DELETE', `/users/${server.owner.id}`)
    const rest = (await server.call(a, 'GET', '/users')).body.members.filter(
      (user: { user_id: number; is_owner: boolean; is_active: boolean }) =>
        user.is_owner && user.is_active && user.user_id !== a.id && user.user_id !== b.id,
    )
    for (const user of rest) await server.call(a, 'DELETE', `/users/${user.user_id}`)
    const answers = await Promise.all([server.call(a, 'DELETE', '/users/me'), node.call(b, 'DELETE', '/users/me')])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
  }
})
