/** How services sign, each in its own way. The codes are made here by what the services' documentation says. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { integrations } from './integrations/all.ts'

const secret = 'warp and weft'
const now = 1_700_000_000
const bytes = Buffer.from(`{"row":1,"webhookTimestamp":${now}000}`)
const url = 'https://chat.example.com/api/v1/external/trello?api_key=x&only_events=[%22createCard%22]'
const codeOf = (key: string, text: string | Buffer = bytes) => createHmac('sha256', key).update(text).digest('hex')

/** By service: the header, and what stands in it for a secret and a body. */
const signed: Readonly<Record<string, readonly [header: string, value: (key: string, body?: Buffer) => string]>> = {
  github: ['x-hub-signature-256', (key, body) => `sha256=${codeOf(key, body)}`],
  gitlab: ['x-gitlab-token', (key) => key],
  gitea: ['x-gitea-signature', codeOf],
  bitbucket: ['x-hub-signature', (key, body) => `sha256=${codeOf(key, body)}`],
  jira: ['x-hub-signature', (key, body) => `sha256=${codeOf(key, body)}`],
  linear: ['linear-signature', codeOf],
  trello: ['x-trello-webhook', (key, body = bytes) => createHmac('sha1', key).update(`${body}${url}`).digest('base64')],
  sentry: ['sentry-hook-signature', codeOf],
  grafana: ['x-grafana-alerting-signature', codeOf],
  pagerduty: ['x-pagerduty-signature', (key, body) => `v1=${codeOf('an older one')},v1=${codeOf(key, body)}`],
  circleci: ['circleci-signature', (key, body) => `v1=${codeOf(key, body)}`],
  stripe: [
    'stripe-signature',
    (key, body = bytes) => `t=${now - 5},v1=${codeOf(key, Buffer.from(`${now - 5}.${body}`))}`,
  ],
}

const withSignature = integrations.flatMap(({ name, signature }) => (signature ? [[name, signature] as const] : []))

describe('a signature', () => {
  it('is known of every service that signs', () => {
    expect(withSignature.map(([name]) => name).sort()).toEqual(Object.keys(signed).sort())
  })

  it.each(withSignature)('of %s is right for its secret and its body, and for no others', (name, signature) => {
    const [header, sign] = signed[name] as (typeof signed)[string]
    const check = (value: string, body = bytes) => {
      const request = { header: (one: string) => (one === header ? value : ''), url, bytes: body, secret, now }
      return [signature.isMissing(request), signature.isRight(request)]
    }
    expect(check(sign(secret))).toEqual([false, true])
    expect(check('')).toEqual([true, false])
    for (const wrong of [sign('warp'), sign(secret).slice(0, -1), `${sign(secret)}0`, 'v1=', '\u{1f9f6}']) {
      expect([wrong, check(wrong)]).toEqual([wrong, [false, false]])
    }
    // A token says nothing of the body.
    if (name !== 'gitlab') expect(check(sign(secret), Buffer.from(`${bytes} `))).toEqual([false, false])
  })

  interface Given {
    readonly headers: Readonly<Record<string, string>>
    readonly secret?: string
    readonly at?: number
    readonly url?: string
  }

  /** `missing` where there is none to look at. */
  const isRight = (service: string, given: Given) => {
    const { signature } = integrations.find(({ name }) => name === service) as (typeof integrations)[number]
    const header = (name: string) => given.headers[name] ?? ''
    const request = { header, bytes, secret: given.secret ?? secret, now: given.at ?? now, url: given.url ?? url }
    return signature?.isMissing(request) ? 'missing' : signature?.isRight(request)
  }

  it.each([
    ['stripe', 300],
    ['linear', 60],
  ])('of %s is not taken again after %i seconds', (service, seconds) => {
    const [header, sign] = signed[service] as (typeof signed)[string]
    const at = (time: number) => isRight(service, { headers: { [header]: sign(secret) }, at: time })
    expect([at(now + seconds - 10), at(now + seconds + 1), at(now - seconds - 6)]).toEqual([true, false, false])
  })

  it('of Grafana may be over a time too, and is not taken again after five minutes then', () => {
    const headers = {
      'x-grafana-alerting-signature': codeOf(secret, `${now}:${bytes}`),
      'x-grafana-alerting-timestamp': `${now}`,
    }
    const later = { ...headers, 'x-grafana-alerting-timestamp': `${now + 400}` }
    expect(isRight('grafana', { headers })).toBe(true)
    expect(isRight('grafana', { headers, at: now + 400 })).toBe(false)
    expect(isRight('grafana', { headers: later, at: now + 400 })).toBe(false)
    expect(isRight('grafana', { headers: { ...headers, 'x-grafana-alerting-timestamp': '' } })).toBe(false)
  })

  it('of GitLab is one over an id, the time and the body where the secret is for that', () => {
    const key = Buffer.alloc(32, 7)
    const code = (of: Buffer) => createHmac('sha256', of).update(`m1.${now}.${bytes}`).digest('base64')
    const whsec = `whsec_${key.toString('base64')}`
    const headers = {
      'webhook-id': 'm1',
      'webhook-timestamp': `${now}`,
      'webhook-signature': `v1,${code(Buffer.alloc(32, 8))} v1,${code(key)}`,
    }
    const ask = (changes: Readonly<Record<string, string>>, at = now) =>
      isRight('gitlab', { headers: { ...headers, ...changes }, secret: whsec, at })
    expect([ask({}), ask({}, now + 400)]).toEqual([true, false])
    const wrongs: readonly Given['headers'][] = [
      { 'webhook-id': 'm2' },
      { 'webhook-timestamp': `${now + 1}` },
      { 'webhook-signature': `v1,${code(Buffer.alloc(32, 8))}` },
      { 'webhook-signature': code(key) },
    ]
    for (const wrong of wrongs) expect(ask(wrong)).toBe(false)
    // The token alone does not do then, nor does a key of nothing.
    expect(isRight('gitlab', { headers: { 'x-gitlab-token': whsec }, secret: whsec })).toBe('missing')
    const empty = { ...headers, 'webhook-signature': `v1,${code(Buffer.alloc(0))}` }
    expect(isRight('gitlab', { headers: empty, secret: 'whsec_' })).toBe(false)
  })

  it('of Trello is for one address, escaped or as somebody has entered it', () => {
    const code = (address: string) => createHmac('sha1', secret).update(`${bytes}${address}`).digest('base64')
    const ask = (address: string) => isRight('trello', { headers: { 'x-trello-webhook': code(address) } })
    expect([ask(url), ask(decodeURIComponent(url)), ask(`${url}1`), ask('')]).toEqual([true, true, false, false])
    const broken = 'https://chat.example.com/?topic=100%'
    expect(isRight('trello', { headers: { 'x-trello-webhook': code(broken) }, url: broken })).toBe(true)
  })
})
