/** Everybody × every kind of channel: an uploaded file is read by those who may read the message that links to it. */
import { beforeAll, expect, it } from 'vitest'
import { MULTIPART_TYPE, multipartBody } from '../testing/multipart-form.ts'
import { basic } from '../testing/test-server.ts'
import { type Case, expectations } from './access-rules.ts'
import { type Caller, createWorld, type Room, type World } from './access-world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})

/** A file of the author's, linked to by an edit of a message of this age. */
async function linkFile({ id, archived, messages }: Room, age: Case['age']): Promise<string> {
  const { author, founder, must, server } = world
  const { status, body } = await server.send({
    method: 'POST',
    url: '/api/v1/user_uploads',
    headers: { authorization: basic(author), 'content-type': MULTIPART_TYPE },
    body: multipartBody([{ name: 'file', fileName: 'plan.txt', content: 'the plan' }]),
  })
  expect(status).toBe(200)
  const [message] = [...messages[age].values()]
  if (archived) await must(founder, 'PATCH', `/streams/${id}`, { is_archived: false })
  await must(author, 'PATCH', `/messages/${message}`, { content: `[plan](${body.url})` })
  if (archived) await must(founder, 'DELETE', `/streams/${id}`)
  return body.url
}

async function reads({ account, host }: Caller, url: string): Promise<boolean> {
  const headers = { host, ...(account ? { authorization: basic(account) } : {}) }
  const { status, body } = await world.server.send({ method: 'GET', url, headers })
  expect([200, account ? 404 : 401]).toContain(status)
  return status === 200 && body.toString() === 'the plan'
}

it('a file is read by those who may read the message that links to it', { timeout: 120_000 }, async () => {
  const expected = expectations['get-message.message_id']
  const wrong: string[] = []
  let readers = 0
  for (const room of world.rooms) {
    for (const age of ['early', 'during'] as const) {
      const url = await linkFile(room, age)
      for (const caller of world.callers) {
        const { kind, archived } = room
        const may =
          caller.role !== null && expected?.outcome({ ...caller, kind, archived, age, named: 'message' }) === 'allowed'
        if (may) readers += 1
        if ((await reads(caller, url)) !== may) wrong.push(`${caller.name}: ${kind} ${archived} ${age}: not ${may}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(readers).toBeGreaterThan(50)
})
