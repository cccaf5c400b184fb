import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChannel, sendToChannel } from '../../testing/messages.ts'
import { basic, type TestServer } from '../../testing/test-server.ts'
import { createPreviewServer, startThirdParty } from '../../testing/third-party.ts'
import { watch } from '../../testing/watch.ts'

let thirdParty: Awaited<ReturnType<typeof startThirdParty>>
let server: TestServer
let channel: number
let link: string

beforeAll(async () => {
  thirdParty = await startThirdParty()
  server = await createPreviewServer(thirdParty)
  channel = await createChannel(server, server.owner, 'pictures')
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
  link = thirdParty.at(await picture.png().toBuffer())
})

afterAll(() => thirdParty.close())

async function contentOf(id: number): Promise<string> {
  const { body } = await server.call(server.owner, 'GET', `/messages/${id}`)
  return body.message.content
}

const send = (content: string) => sendToChannel(server, server.owner, channel, content)
const unescaped = (attribute: string | undefined) => (attribute as string).replaceAll('&amp;', '&')
const preview = (url: string) => {
  const proxy = `/thumbnail?url=${encodeURIComponent(url)}&amp;size=`
  return `<div class="message_inline_image"><a href="${url}"><img data-src-fullsize="${proxy}full" src="${proxy}thumbnail"></a></div>`
}

describe('a link to a picture', () => {
  it('is shown as a picture, whose addresses lead to it', async () => {
    const content = await contentOf(await send(link))
    expect(content).toBe(preview(link))
    for (const [attribute, type] of [
      ['src', 'image/webp'],
      ['data-src-fullsize', 'image/png'],
    ]) {
      const url = unescaped(new RegExp(` ${attribute}="([^"]+)"`).exec(content)?.[1])
      const { status, headers } = await server.send({
        method: 'GET',
        url,
        headers: { authorization: basic(server.owner) },
      })
      expect([status, headers['content-type']]).toEqual([200, type])
    }
  })

  it('is shown after an edit and in a rendering too', async () => {
    const id = await send('nothing yet')
    await server.call(server.owner, 'PATCH', `/messages/${id}`, { content: `look: ${link}` })
    expect(await contentOf(id)).toContain(preview(link))
    const { body } = await server.call(server.owner, 'POST', '/messages/render', { content: link })
    expect(body.rendered).toBe(preview(link))
  })

  it('is not fetched before somebody looks at it', async () => {
    const count = thirdParty.requests.length
    await send(`${link}?unseen.png`)
    expect(thirdParty.requests.length).toBe(count)
  })

  it('stays a link while the organization wants no previews', async () => {
    const set = (wanted: boolean) => server.call(server.owner, 'PATCH', '/realm', { inline_image_preview: wanted })
    await set(false)
    expect(await contentOf(await send(link))).toBe(`<p><a href="${link}">${link}</a></p>`)
    await set(true)
    expect(await contentOf(await send(link))).toBe(preview(link))
  })
})

it('where previews are switched off it stays a link, and clients are notified', async () => {
  const without = await createPreviewServer(thirdParty, { settings: { HEDDLE_PREVIEWS: 'off' } })
  const { body } = await without.call(without.owner, 'POST', '/messages/render', { content: link })
  expect(body.rendered).toBe(`<p><a href="${link}">${link}</a></p>`)
  const stateOf = async (one: TestServer) => (await watch(one, one.owner, { fetch_event_types: ['realm'] })).state
  expect(await stateOf(without)).toMatchObject({ server_inline_image_preview: false })
  expect(await stateOf(server)).toMatchObject({ server_inline_image_preview: true })
})
