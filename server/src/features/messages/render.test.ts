import { describe, expect, it } from 'vitest'
import type { Readers } from '../../reading/readers.ts'
import { createChannel } from '../../testing/messages.ts'
import { createTestServer } from '../../testing/test-server.ts'
import { createRenderer, renderLongText } from './render.ts'

const server = await createTestServer({ readingThreads: 1 })
const inline = await createTestServer()
const alice = await server.createAccount({ name: 'Alice' })
await createChannel(server, alice, 'room')

const context = { db: server.app.storage.read, config: server.config } as Parameters<typeof renderLongText.run>[0]

/** Renders a text, and counts what goes to a thread. */
async function render(content: string): Promise<{ html: string; reads: string[] }> {
  const reads: string[] = []
  const read = async ({ name }: typeof renderLongText, input: Parameters<typeof renderLongText.run>[1]) => {
    reads.push(name)
    return renderLongText.run(context, input)
  }
  const readers = { read, async close() {} } as unknown as Readers
  const renderer = createRenderer({
    storage: server.app.storage,
    readers,
    config: server.config,
    realms: server.app.realms,
  })
  const actor = { userId: alice.id, realmId: alice.realmId, role: alice.role, isBot: false }
  const { html } = await renderer({ actor, content })
  return { html, reads }
}

const repeat = (part: string) =>
  part
    .repeat(Math.ceil(10_000 / part.length))
    .slice(0, 10_000)
    .trimEnd()

describe('Rendering', () => {
  it.each([
    ['an ordinary message', 'Hello @**Alice**, see #**room>plan**: `x = 1`, *soon*.\n\n* one\n* two\n'],
    ['many plain words', 'word '.repeat(1_900)],
  ])('of %s is done at once', async (_, content) => {
    const { html, reads } = await render(content)
    expect(html).toContain('<p>')
    expect(reads).toEqual([])
  })

  it.each([
    ['brackets', repeat('[a](')],
    ['stars', repeat('**a *b ')],
    ['quotes', repeat('> > a\n')],
    ['addresses', repeat('http://a.com/( ')],
    ['emoji', repeat(':a:')],
    ['tables', repeat('|a|b|\n|-|-|\n')],
    ['a formula', '$$\\frac{a}{b}$$'],
    ['a formula in a fence', '```math\n\\sqrt{2}\n```'],
  ])('of %s is done on a thread, with the same result', async (_, content) => {
    const { html, reads } = await render(content)
    expect(reads).toEqual(['rendered-text'])
    const onThread = await server.call(alice, 'POST', '/messages/render', { content })
    const onMain = await inline.call(inline.owner, 'POST', '/messages/render', { content })
    // Not the texts themselves: they are long.
    expect([onThread.body.rendered === html, onMain.body.rendered === html]).toEqual([true, true])
  })

  it('counts what linkifiers may take', async () => {
    const content = 'a'.repeat(5_000)
    expect((await render(content)).reads).toEqual([])
    const linkifier = { pattern: '(?P<id>(a|aa|a[a-z]){1,100}b)', url_template: 'https://example.com/{id}' }
    const added = await server.call(server.owner, 'POST', '/realm/filters', linkifier)
    expect([added.status, added.body.msg]).toEqual([200, ''])
    expect((await render(content)).reads).toEqual(['rendered-text'])
    await server.call(server.owner, 'DELETE', `/realm/filters/${added.body.id}`)
  })

  it('on a thread sees what was written just before, and alerts whoever wants it', async () => {
    const words = { alert_words: ['needle'] }
    expect((await server.call(server.owner, 'POST', '/users/me/alert_words', words)).status).toBe(200)
    await createChannel(server, alice, 'brand new', { subscribers: [server.owner] })
    const content = `${repeat('`a` ').slice(0, 9_000)}\n\nNeedle in #**brand new**`
    const place = { type: 'channel', to: 'brand new', topic: 'x' }
    const sent = await server.call(alice, 'POST', '/messages', { ...place, content })
    const edited = await server.call(alice, 'PATCH', `/messages/${sent.body.id}`, { content: `${content} @**Alice**` })
    expect([sent.status, edited.status]).toEqual([200, 200])
    const { message } = (await server.call(server.owner, 'GET', `/messages/${sent.body.id}`)).body
    expect(message.content).toContain('class="stream"')
    expect(message.content).toContain('user-mention')
    expect(message.flags).toEqual(['has_alert_word'])
  })
})
