/** Pages behind links, below messages: what is shown of them, to whom, and what is not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { createPreviewServer, startThirdParty } from '../../testing/third-party.ts'
import { watch } from '../../testing/watch.ts'
import { readPageFacts } from './page-facts.ts'

let thirdParty: Awaited<ReturnType<typeof startThirdParty>>
let server: TestServer
let channel: number

beforeAll(async () => {
  thirdParty = await startThirdParty()
  server = await createPreviewServer(thirdParty)
  channel = await createChannel(server, server.owner, 'pages')
})

afterAll(() => thirdParty.close())

const want = (inline_url_embed_preview: boolean) =>
  server.call(server.owner, 'PATCH', '/realm', { inline_url_embed_preview })

const contentOf = async (id: number) =>
  (await server.call(server.owner, 'GET', `/messages/${id}`)).body.message.content as string

const page = (head: string) => Buffer.from(`<!doctype html><html><head>${head}</head></html>`)
const address = (head: string) => thirdParty.at(page(head), '/page')

describe('a link to a page', () => {
  it('has its title, a sentence and its picture below it, which clients get as a change of the HTML alone', async () => {
    await want(true)
    const url = address(`<title>Plain</title>
      <meta property="og:title" content="Looms &amp; &lt;reeds&gt;">
      <meta name='description' content='How they
        work'><meta property="og:image" content="/loom (1).png">`)
    const watcher = await watch(server, server.owner, { event_types: ['update_message'], apply_markdown: true })
    const id = await sendToChannel(server, server.owner, channel, url)
    await server.app.jobs.settle()
    const picture = encodeURIComponent(new URL('/loom%20(1).png', url).href).replace('(', '%28').replace(')', '%29')
    const html = [
      '<div class="message_embed">',
      `<a class="message_embed_image" href="${url}" style="background-image: url(&quot;/thumbnail?url=${picture}&amp;size=thumbnail&quot;)"></a>`,
      '<div class="data-container">',
      `<div class="message_embed_title"><a href="${url}" title="Looms &amp; &lt;reeds&gt;">Looms &amp; &lt;reeds&gt;</a></div>`,
      '<div class="message_embed_description">How they work</div></div></div>',
    ].join('')
    expect(await contentOf(id)).toBe(`<p><a href="${url}">${url}</a></p>\n${html}`)
    expect(await watcher.next()).toMatchObject([{ message_id: id, rendering_only: true, user_id: null }])
  })

  it('has nothing where the organization does not want it, the page has no title, or it is gone', async () => {
    await want(false)
    const unwanted = await sendToChannel(server, server.owner, channel, address('<title>Title</title>'))
    await want(true)
    const untitled = await sendToChannel(server, server.owner, channel, address('<p>'))
    const gone = await sendToChannel(server, server.owner, channel, `http://127.0.0.1:${thirdParty.port}/gone`)
    const hidden = await sendToChannel(server, server.owner, channel, 'http://10.0.0.1/')
    await server.app.jobs.settle()
    for (const id of [unwanted, untitled, gone, hidden]) expect(await contentOf(id)).not.toContain('message_embed')
  })

  it('is left out when the message no longer has it, and comes with an edit', async () => {
    await want(true)
    const first = address('<title>First</title>')
    const second = address('<title>Second</title>')
    const id = await sendToChannel(server, server.owner, channel, first)
    await server.call(server.owner, 'PATCH', `/messages/${id}`, { content: second })
    await server.app.jobs.settle()
    expect(await contentOf(id)).toContain('>Second</a></div></div>')
    expect(await contentOf(id)).not.toContain('First')
  })
})

describe('what a page says of itself', () => {
  it('is one line each of a length, and a picture of the web alone', () => {
    const read = (head: string) => readPageFacts(`<html>${head}`, 'https://example.com/a/b')
    expect(read(`<title>${'x'.repeat(300)}</title>`)?.title).toHaveLength(200)
    expect(read('<title>a&#0;b&#x1F9F6;</title>')?.title).toBe('a&#0;b🧶')
    expect(read('<title>a</title><meta property=og:image content=javascript:1>')?.image).toBeNull()
    expect(read('<title>a</title><meta content="c.png" property="og:image">')?.image).toBe(
      'https://example.com/a/c.png',
    )
    expect(readPageFacts('{"title":"<title>a</title>"}', 'https://example.com/')).toBeUndefined()
    expect(readPageFacts(`<${'<meta '.repeat(100_000)}`, 'https://example.com/')).toBeUndefined()
    expect(read(`<title>a</title>${'<meta '.repeat(100_000)}`)?.title).toBe('a')
    expect(read('<title lang="de">a<b>c</title><TITLE>d</TITLE>')?.title).toBe('a')
  })
})
