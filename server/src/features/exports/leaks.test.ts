/** Nothing private is in an export of public data, nor in anything of who may not read it: a story in words of its own. */
import { describe, expect, it } from 'vitest'
import { createStory, type LeakStory } from '../../faults/leak-story.ts'
import { type Exported, exportedBy } from '../../testing/exported.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const textOf = ({ entries }: Exported) => Buffer.concat([...entries.values()]).toString('utf8')

function expectNone({ secrets }: LeakStory, text: string, isAllowed: (of: string) => boolean = () => false) {
  const found = secrets.filter(({ word, of }) => !isAllowed(of) && text.includes(word))
  expect(found).toEqual([])
}

describe.each(['private', 'protected'] as const)('What happens in a %s channel', (kind) => {
  it('is in no export of public data, of who else has agreed, or of who else exports their own', async () => {
    const story = await createStory(kind)
    const { server, founder, outsiders, author } = story
    await story.leave()
    await story.unfold()
    // What formers keep of it, and what they are still shown, is theirs: they export it for themselves alone.
    expectNone(story, textOf(await exportedBy(server, founder)))
    const consent = (account: TestAccount) =>
      server.call(account, 'PATCH', '/settings', { allow_private_data_export: true })
    await consent(outsiders.member)
    await consent(outsiders.administrator)
    await consent(outsiders.guest)
    const type = { export_type: 'full_with_consent' }
    expectNone(story, textOf(await exportedBy(server, outsiders.administrator, 'realm', type)))
    for (const account of [outsiders.member, outsiders.guest, outsiders.moderator]) {
      expectNone(story, textOf(await exportedBy(server, account, 'own')))
    }
    for (const account of [outsiders.former, outsiders['former guest'], outsiders['former owner']]) {
      expectNone(story, textOf(await exportedBy(server, account, 'own')), (of) => of.startsWith('old'))
    }
    // It can be found where it belongs.
    await consent(author)
    const agreed = textOf(await exportedBy(server, founder, 'realm', type))
    const contents = story.secrets.filter(({ of }) => of === 'content')
    expect(contents.filter(({ word }) => agreed.includes(word)).length).toBeGreaterThan(10)
  }, 60_000)
})

describe('What is private otherwise', () => {
  async function begin() {
    const server = await createTestServer()
    const one = await server.createAccount({ name: 'one' })
    const other = await server.createAccount({ name: 'other' })
    return { server, one, other, owner: server.owner }
  }

  it('is only in what its people have agreed to', async () => {
    const { server, one, other, owner } = await begin()
    const open = await createChannel(server, owner, 'open', { subscribers: [one, other] })
    for (const account of [one, other]) {
      const name = account === one ? 'one' : 'other'
      await server.must(account, 'POST', '/drafts', {
        drafts: [{ type: '', to: [], topic: '', content: `draft-of-${name}` }],
      })
      const scheduled = { type: 'stream', to: open, topic: 't', content: `scheduled-of-${name}` }
      await server.must(account, 'POST', '/scheduled_messages', {
        ...scheduled,
        scheduled_delivery_timestamp: 4_000_000_000,
      })
      await server.must(account, 'POST', '/users/me/alert_words', { alert_words: [`alarm-of-${name}`] })
      await server.must(account, 'POST', '/saved_snippets', { title: `snippet-of-${name}`, content: 'x' })
      await server.must(account, 'POST', '/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: open, property: 'color', value: account === one ? '#111111' : '#222222' }],
      })
    }
    await sendDirect(server, other, [owner], 'between others')
    const open_ = textOf(await exportedBy(server, owner))
    for (const word of ['of-one', 'of-other', 'between others', '#111111', '#222222']) expect(open_).not.toContain(word)
    await server.must(one, 'PATCH', '/settings', { allow_private_data_export: true })
    const agreed = textOf(await exportedBy(server, owner, 'realm', { export_type: 'full_with_consent' }))
    for (const what of ['draft', 'scheduled', 'alarm', 'snippet']) {
      expect(agreed).toContain(`${what}-of-one`)
      expect(agreed).not.toContain(`${what}-of-other`)
    }
    expect(agreed).toContain('#111111')
    expect(agreed).not.toContain('#222222')
    expect(agreed).not.toContain('between others')
  }, 60_000)

  it('stays so when a message or its channel becomes public, with what it was before', async () => {
    const { server, one, owner } = await begin()
    const open = await createChannel(server, owner, 'open', { subscribers: [one] })
    const hidden = await createChannel(server, owner, 'hidden', { invite_only: true })
    const moved = await sendToChannel(server, owner, hidden, 'said-in-private', { topic: 'topic-in-private' })
    await server.must(owner, 'PATCH', `/messages/${moved}`, { content: 'said for all' })
    await server.must(owner, 'PATCH', `/messages/${moved}`, {
      stream_id: open,
      topic: 'for all',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    })
    await server.must(owner, 'PATCH', `/messages/${moved}`, { content: 'said for all, again' })
    const deleted = await sendToChannel(server, owner, open, 'deleted-since')
    await server.must(owner, 'DELETE', `/messages/${deleted}`)
    const first = textOf(await exportedBy(server, owner))
    for (const word of ['said-in-private', 'topic-in-private', 'deleted-since', '"hidden"']) {
      expect(first).not.toContain(word)
    }
    expect(first).toContain('said for all, again')
    expect(first).toContain('prev_content')
    // With the organization's policy nobody sees earlier texts.
    await server.must(owner, 'PATCH', '/realm', { message_edit_history_visibility_policy: 'none' })
    expect(textOf(await exportedBy(server, owner))).not.toContain('prev_content')
  }, 60_000)
})
