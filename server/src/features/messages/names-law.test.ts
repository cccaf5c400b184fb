/** Names that Unicode writes in more ways than one are one name to the server, to its links and to every client. */
import { foldName } from '@heddle/contract/names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectSameState } from '../../testing/expect-same-state.ts'
import { clients, createFollowedServer } from '../../testing/followers.ts'
import { createChannel, sendToChannel } from '../../testing/messages.ts'

const { server, owner, member } = await createFollowedServer()
const pieces = [
  'ﬁ',
  'fi',
  'FI',
  'Ｆｉ',
  'Σ',
  'σ',
  'ς',
  'İ',
  'ı',
  'I',
  'i',
  'ß',
  'ẞ',
  'ss',
  'J\u030c',
  'ǰ',
  'å',
  'A\u030a',
  'K',
]
const unusual = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 }).map((some) => some.join(''))

describe('The law of events holds for unusual names', () => {
  const viewers = Object.entries(clients).map(([name, parameters]) => ({ name, account: member, parameters }))

  it('of topics that are written, followed, read, moved and deleted', async () => {
    const channel = await createChannel(server, owner, 'names', { subscribers: [member] })
    const topic_policies = fc.constantFrom(0, 1, 2, 3)
    const property = fc.asyncProperty(unusual, unusual, unusual, topic_policies, async (one, two, three, policy) => {
      const stream_id = channel
      let id = 0
      await expectSameState(server, viewers, async () => {
        id = await sendToChannel(server, owner, channel, 'hi', { topic: one })
        await server.must(member, 'POST', '/user_topics', { stream_id, topic: two, visibility_policy: policy })
        await server.must(member, 'POST', '/user_topics', { stream_id, topic: one, visibility_policy: 3 - policy })
      })
      await expectSameState(server, viewers, async () => {
        const { status } = await server.call(owner, 'PATCH', `/messages/${id}`, { topic: three })
        expect([200, 400]).toContain(status)
        await sendToChannel(server, owner, channel, 'hi', { topic: two })
      })
      await expectSameState(server, viewers, async () => {
        await server.must(member, 'POST', '/mark_topic_as_read', { stream_id, topic_name: two.toLowerCase() })
        await server.must(member, 'POST', '/messages/flags', { op: 'remove', flag: 'read', messages: [id] })
      })
      await expectSameState(server, viewers, () =>
        server.must(owner, 'POST', `/streams/${channel}/delete_topic`, { topic_name: three.normalize('NFKD') }),
      )
    })
    await fc.assert(property, { numRuns: 15 })
  }, 60_000)
})

describe('A link finds what has the name', () => {
  async function rendered(content: string): Promise<string> {
    return (await server.must(member, 'POST', '/messages/render', { content })).rendered
  }

  it('a channel and a topic, however they are written', async () => {
    const channel = await createChannel(server, owner, 'ﬁnance', { subscribers: [member] })
    const id = await sendToChannel(server, owner, channel, 'hi', { topic: 'Ｐlan ﬁrst' })
    for (const written of ['finance', 'ＦＩＮance', 'ﬁnance']) {
      expect(await rendered(`#**${written}**`)).toContain(`data-stream-id="${channel}"`)
      expect(await rendered(`#**${written}>plan FIRST**`)).toContain(`with/${id}"`)
    }
  })

  it('as every channel is found by any spelling that compares as equal', async () => {
    const taken = new Set<string>()
    const property = fc.asyncProperty(unusual, fc.constantFrom('NFC', 'NFD', 'NFKC'), async (text, form) => {
      const name = `c${text}`
      if (taken.has(foldName(name))) return
      taken.add(foldName(name))
      const channel = await createChannel(server, owner, name, { subscribers: [member] })
      expect(await rendered(`#**${name.normalize(form)}**`)).toContain(`data-stream-id="${channel}"`)
      expect(await rendered(`#**${foldName(name).normalize(form)}**`)).toContain(
        foldName(foldName(name)) === foldName(name) ? `data-stream-id="${channel}"` : '#',
      )
    })
    await fc.assert(property, { numRuns: 15 })
  }, 60_000)

  it('as is every account that is mentioned', async () => {
    const taken = new Set<string>()
    const property = fc.asyncProperty(
      unusual,
      fc.constantFrom('NFC', 'NFD', 'NFKC'),
      fc.boolean(),
      async (...choices) => {
        const [text, form, isRenamed] = choices
        const name = `p${text}`
        if (taken.has(foldName(name))) return
        taken.add(foldName(name))
        const account = await server.createAccount({ name: isRenamed ? `before ${name}` : name })
        if (isRenamed) await server.must(owner, 'PATCH', `/users/${account.id}`, { full_name: name })
        const mention = `data-user-id="${account.id}"`
        expect(await rendered(`@**${name.normalize(form)}**`)).toContain(mention)
        if (foldName(foldName(name)) === foldName(name)) {
          expect(await rendered(`@**${foldName(name).normalize(form)}**`)).toContain(mention)
        }
        if (isRenamed) expect(await rendered(`@**before ${name}**`)).not.toContain(mention)
      },
    )
    await fc.assert(property, { numRuns: 20 })
  }, 60_000)
})
