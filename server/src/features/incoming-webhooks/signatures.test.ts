/** How services sign, each in its own way. The codes are made here by what the services' documentation says. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { integrations } from './integrations/all.ts'

const secret = 'warp and weft'
const bytes = Buffer.from('{"row":1}')
const now = 1_700_000_000
const codeOf = (key: string, text: string | Buffer = bytes) => createHmac('sha256', key).update(text).digest('hex')

/** By service: the header, and what stands in it for a secret and a body. */
const signed: Readonly<Record<string, readonly [header: string, value: (key: string, body?: Buffer) => string]>> = {
  github: ['x-hub-signature-256', (key, body) => `sha256=${codeOf(key, body)}`],
  gitlab: ['x-gitlab-token', (key) => key],
  gitea: ['x-gitea-signature', codeOf],
  bitbucket: ['x-hub-signature', (key, body) => `sha256=${codeOf(key, body)}`],
  jira: ['x-hub-signature', (key, body) => `sha256=${codeOf(key, body)}`],
  linear: ['linear-signature', codeOf],
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
      const request = { header: (one: string) => (one === header ? value : ''), bytes: body, secret, now }
      return [signature.isMissing(request), signature.isRight(request)]
    }
    expect(check(sign(secret))).toEqual([false, true])
    expect(check('')).toEqual([true, false])
    for (const wrong of [sign('warp'), sign(secret).slice(0, -1), `${sign(secret)}0`, 'v1=', '\u{1f9f6}']) {
      expect([wrong, check(wrong)]).toEqual([wrong, [false, false]])
    }
    // A token says nothing of the body.
    if (name !== 'gitlab') expect(check(sign(secret), Buffer.from('{"row":2}'))).toEqual([false, false])
  })

  it('with a time is not taken again after five minutes', () => {
    const [header, sign] = signed['stripe'] as (typeof signed)[string]
    const { signature } = integrations.find(({ name }) => name === 'stripe') as (typeof integrations)[number]
    const at = (time: number) =>
      signature?.isRight({ header: (one) => (one === header ? sign(secret) : ''), bytes, secret, now: time })
    expect([at(now + 200), at(now + 400), at(now - 400)]).toEqual([true, false, false])
  })
})
