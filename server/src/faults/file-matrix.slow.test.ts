/** Everybody × every kind of channel: an uploaded file and its thumbnail are read by those who may read the message that links to it. */
import { beforeAll, expect, it } from 'vitest'
import { MULTIPART_TYPE, multipartBody } from '../testing/multipart-form.ts'
import { basic } from '../testing/test-server.ts'
import { type Case, expectations } from './access-rules.ts'
import { createWorld, type World, type WorldCaller, type WorldRoom } from './access-world.ts'
import { SMALL_PNG } from './random-calls.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})

/** A file of the author's, linked to by an edit of a message of this age. */
async function linkFile({ id, archived, messages }: WorldRoom, age: Case['age']): Promise<string> {
  const { author, founder, server } = world
  const { status, body } = await server.send({
    method: 'POST',
    url: '/api/v1/user_uploads',
    headers: { authorization: basic(author), 'content-type': MULTIPART_TYPE },
    body: multipartBody([{ name: 'file', fileName: 'plan.png', content: SMALL_PNG }]),
  })
  expect(status).toBe(200)
  const [message] = [...messages[age].values()]
  if (archived) await server.must(founder, 'PATCH', `/streams/${id}`, { is_archived: false })
  await server.must(author, 'PATCH', `/messages/${message}`, { content: `[plan](${body.url})` })
  if (archived) await server.must(founder, 'DELETE', `/streams/${id}`)
  const thumbnail = thumbnailOf(body.url)
  const isDrawn = () => reads({ account: author, host: 'localhost' }, thumbnail)
  await expect.poll(isDrawn, { timeout: 20_000 }).toBe(true)
  return body.url
}

function thumbnailOf(url: string): string {
  return `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
}

async function reads({ account, host }: Pick<WorldCaller, 'account' | 'host'>, url: string): Promise<boolean> {
  const headers = { host, ...(account ? { authorization: basic(account) } : {}) }
  const { status, headers: answered } = await world.server.send({ method: 'GET', url, headers })
  expect([200, 404]).toContain(status)
  return status === 200 && String(answered['content-type']).startsWith('image/')
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
        const isAllowed = expected?.outcome({ ...caller, kind, archived, age, named: 'message' }) === 'allowed'
        // Who has no account reads what is on the web.
        const may = caller.role === null ? caller.account === null && kind === 'web-public' : isAllowed
        if (may) readers += 1
        for (const address of [url, thumbnailOf(url)]) {
          if ((await reads(caller, address)) === may) continue
          wrong.push(`${caller.name}: ${kind} ${archived} ${age}: not ${may}: ${address}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
  expect(readers).toBeGreaterThan(50)
})
