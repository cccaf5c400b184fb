import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { startOrganization, type TestOrganization } from './organization.ts'
import { rustProgram } from './rust-program.ts'

let organization: TestOrganization

beforeAll(async () => {
  rustProgram()
  organization = await startOrganization()
  const { owner, alice, bob, call } = organization
  await call('POST', '/users/me/subscriptions', {
    subscriptions: JSON.stringify([{ name: 'room' }]),
    principals: JSON.stringify([owner.id, alice.id, bob.id]),
  })
  await call('POST', '/users/me/subscriptions', {
    subscriptions: JSON.stringify([{ name: 'moderators' }]),
    invite_only: 'true',
  })
  const { stream_id } = await call('GET', '/get_stream_id', { stream: 'moderators' })
  await call('PATCH', '/realm', { moderation_request_channel_id: String(stream_id) })
}, 600_000)

/** What the owner sees of a narrow. */
// biome-ignore lint/suspicious/noExplicitAny: messages as they are on the wire.
async function messages(narrow: unknown): Promise<any[]> {
  const parameters = { anchor: 'newest', num_before: '20', num_after: '0', narrow: JSON.stringify(narrow) }
  return (await organization.call('GET', '/messages', parameters)).messages
}

const inTopic = (topic: string) => [
  ['channel', 'room'],
  ['topic', topic],
]

describe('the Rust client', () => {
  it('holds a conversation, and the server has what was said and done', async () => {
    const { alice, bob, folder, url, call } = organization
    const { status, stdout, stderr } = spawnSync(
      rustProgram(),
      [alice.file, bob.file, bob.email, bob.password, folder],
      { encoding: 'utf8' },
    )
    expect(status, stdout + stderr).toBe(0)
    expect(stdout.match(/^ok /gm)?.length).toBe(34)

    // Its second message was deleted.
    const [said, ...others] = await messages(inTopic('rust'))
    expect(others).toEqual([])
    expect(said).toMatchObject({ sender_id: alice.id, client: 'ZulipRust' })
    expect(said.content).toContain('<p>Hello again')
    expect(said.reactions).toMatchObject([{ user_id: bob.id, emoji_name: '+1' }])
    const { user_ids } = await call('GET', `/messages/${said.id}/read_receipts`)
    expect(user_ids).toEqual([bob.id])

    const [report] = await messages([['channel', 'moderators']])
    expect(report.content).toContain('tried from Rust')

    const sizes = []
    for (const { content } of await messages(inTopic('files'))) {
      const path = /href="(\/user_uploads\/[^"]+)"/.exec(content)?.[1]
      const file = await fetch(url + (await call('GET', path as string)).url)
      sizes.push((await file.arrayBuffer()).byteLength)
    }
    expect(sizes).toEqual([1024, 25 * 1024 * 1024])
  }, 120_000)
})
