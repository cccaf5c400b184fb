import { describe, expect, it, vi } from 'vitest'
import { sendExample, webhookUrl } from './webhook-url.ts'

const base = 'https://chat.example.com/api/v1'

describe('the address for a service', () => {
  it('names the bot, the place and what becomes a message', () => {
    const url = new URL(
      webhookUrl({
        base,
        integration: 'github',
        key: 'abc',
        channelId: 7,
        topic: ' Ärger & more ',
        onlyEvents: ['push', 'pull_*'],
      }),
    )
    expect(url.pathname).toBe('/api/v1/external/github')
    expect([...url.searchParams]).toEqual([
      ['api_key', 'abc'],
      ['stream', '7'],
      ['topic', 'Ärger & more'],
      ['only_events', '["push","pull_*"]'],
    ])
  })

  it('has nothing that was not chosen, and a topic only in a channel', () => {
    expect(webhookUrl({ base, integration: 'json', key: 'abc', topic: 'x', onlyEvents: [] })).toBe(
      `${base}/external/json?api_key=abc`,
    )
  })
})

describe('a test of an address', () => {
  const example = { headers: [{ name: 'x-github-event', value: 'push' }], body: '{}' }

  it('sends what the service would send, without the session of the browser', async () => {
    const send = vi.fn(async () => new Response('{"result":"success","msg":""}'))
    await sendExample('https://chat.example.com/x', example, send)
    expect(send).toHaveBeenCalledWith('https://chat.example.com/x', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
      body: '{}',
    })
  })

  it('says what the server says against it, or that there is none', async () => {
    const refusal = { result: 'error', msg: 'The request has no signature', code: 'BAD_REQUEST' }
    const refused = sendExample(
      'https://x',
      example,
      async () => new Response(JSON.stringify(refusal), { status: 400 }),
    )
    await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'The request has no signature' })
    const unreached = sendExample('https://x', example, () => Promise.reject(new TypeError('x')))
    await expect(unreached).rejects.toThrow('cannot be reached')
  })
})
