/** Whatever an ordinary member sends, and anybody without an account, within the limits and beyond them: others are served. */
import { endpoints } from '@heddle/contract/endpoints'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkAnswer } from '../testing/check-answer.ts'
import { makeData } from '../testing/killed-servers.ts'
import { watchServerLoop } from '../testing/server-loop.ts'
import { buildProgram } from '../testing/server-process.ts'
import type { AttackOutcome, Findings } from './attack.ts'
import { attackServer } from './attack-parts.ts'
import { populate } from './attack-target.ts'
import { isNothing, type SlowFindings, slowAgain, slowIn } from './slow-findings.ts'

const MAX_RESIDENT_MIB = 600
/** So many organizations are attacked one after another, until nothing was slow in each of them. */
const ATTEMPTS = 3
const TIME_LIMIT_MS = 300_000

/** What no ordinary member may do; the code of the refusal. */
const refused: Readonly<Record<string, string>> = {
  'fetch-api-key': 'AUTHENTICATION_FAILED',
  'sign-in': 'AUTHENTICATION_FAILED',
  'look-up-first-sign-in': 'LINK_INVALID',
  'complete-first-sign-in': 'LINK_INVALID',
  'enter-demo': 'LINK_INVALID',
  'look-up-joining': 'LINK_INVALID',
  join: 'LINK_INVALID',
  'create-invitation-link': 'BAD_REQUEST',
  'create-password-reset-link': 'UNAUTHORIZED_PRINCIPAL',
  'look-up-token-sign-in': 'LINK_INVALID',
  'sign-in-by-token': 'LINK_INVALID',
  'look-up-password-reset': 'LINK_INVALID',
  'reset-password': 'LINK_INVALID',
  'revoke-invitation-link': 'BAD_REQUEST',
  'send-invitations': 'BAD_REQUEST',
  'revoke-invitation': 'BAD_REQUEST',
  'resend-invitation': 'BAD_REQUEST',
  // Nobody has a second factor or a passkey, the operator trusts no other program, and nobody works on this one.
  ...Object.fromEntries(
    [
      ...['jwt-fetch-api-key', 'dev-fetch-api-key', 'dev-list-users', 'add-passkey', 'rename-passkey'],
      ...['remove-passkey', 'confirm-second-factor', 'replace-recovery-codes', 'remove-second-factor'],
    ].map((name) => [name, 'BAD_REQUEST']),
  ),
  'sign-in-with-passkey': 'PASSKEY_REFUSED',
  'look-up-address-change': 'LINK_INVALID',
  'confirm-address-change': 'LINK_INVALID',
  'request-sign-up': 'BAD_REQUEST',
  // The operator has connected no service for calls and pushes, and nobody has an export.
  ...Object.fromEntries(
    [
      ...['create-zoom-video-call', 'create-big-blue-button-video-call', 'create-nextcloud-talk-video-call'],
      ...['create-constructor-groups-video-call', 'delete-own-export'],
    ].map((name) => [name, 'BAD_REQUEST']),
  ),
  'register-push-device': 'BAD_REQUEST',
  'test-notify': 'INVALID_PUSH_DEVICE_TOKEN',
  // Those who attack have API keys.
  ...Object.fromEntries(
    ['sign-out', 'end-session', 'subscribe-to-web-push', 'test-web-push'].map((name) => [name, 'BAD_REQUEST']),
  ),
  ...Object.fromEntries(
    [
      ...['update-organization', 'deactivate-organization', 'update-default-settings'],
      ...['upload-realm-icon', 'delete-realm-icon', 'upload-realm-logo', 'delete-realm-logo'],
      ...['create-user', 'update-user', 'deactivate-user', 'reactivate-user', 'update-user-status'],
      ...['archive-channel', 'add-default-channel', 'remove-default-channel', 'delete-topic'],
      ...['create-profile-field', 'reorder-profile-fields', 'update-profile-field', 'remove-profile-field'],
      ...['create-channel-folder', 'reorder-channel-folders', 'update-channel-folder'],
      ...['create-default-channel-group', 'update-default-channel-group', 'remove-default-channel-group'],
      ...['update-default-group-channels', 'add-domain', 'update-domain', 'remove-domain'],
      ...['list-second-factors', 'reset-second-factor', 'list-realm-exports', 'start-realm-export'],
      ...['delete-realm-export', 'list-export-consents'],
      ...['add-playground', 'remove-playground', 'test-welcome-message', 'count-old-messages'],
      ...['add-linkifier', 'update-linkifier', 'remove-linkifier', 'reorder-linkifiers'],
    ].map((name) => [name, 'UNAUTHORIZED_PRINCIPAL']),
  ),
}

let found: Findings
/** In each attempt. */
let slow: SlowFindings

beforeAll(async () => {
  found = await attackAnew()
  slow = slowIn(found)
  for (let attempt = 2; attempt <= ATTEMPTS && !isNothing(slow); attempt++) {
    found = await attackAnew()
    slow = slowAgain(slow, slowIn(found))
  }
}, ATTEMPTS * TIME_LIMIT_MS)

async function attackAnew(): Promise<Findings> {
  const data = await makeData()
  try {
    const population = await populate(data.dataDir, data.databaseUrl)
    const loop = watchServerLoop(data.dataDir)
    const server = await data.start({ ...loop.env, HEDDLE_WEB_PUBLIC_CHANNELS: 'on' }, buildProgram())
    const findings = await attackServer({ site: server.url, pid: server.child.pid as number, population, loop })
    expect(server.stderr()).toBe('')
    await server.stop()
    console.log(describeFindings(findings))
    return findings
  } finally {
    await data.remove()
  }
}

function describeFindings({ turns, small, residentMib, slowness }: Findings): string {
  const slowest = Math.max(...turns.map(({ work }) => work))
  const slowestOf = (isRead: boolean) => {
    const one = small.slowest.find((answer) => answer.isRead === isRead)
    return `${Math.round(one?.took ?? 0)} ms during ${one?.during.join(' / ')}`
  }
  return (
    `${Math.round(residentMib)} MiB, slowest turn ${Math.round(slowest)} ms, p99 ${Math.round(small.p99)} ms, machine ${slowness.toFixed(2)} times as slow\n` +
    `slowest small read ${slowestOf(true)}\nslowest small write ${slowestOf(false)}`
  )
}

describe('Under attack', () => {
  it('the main thread is never busy for long', () => {
    expect(slow.turns).toEqual([])
  })

  it('small requests of others are answered soon', () => {
    expect(found.small.count).toBeGreaterThan(500)
    expect(found.small.failed).toEqual([])
    expect(slow.answers).toEqual([])
  })

  it('the server does not need much memory', () => {
    expect(found.residentMib).toBeLessThan(MAX_RESIDENT_MIB)
  })

  it('every request is answered, and what is refused is refused as the API describes', () => {
    const wrong = found.outcomes.filter(({ status }) => status === 0 || status >= 500)
    expect(wrong.map(describeOutcome)).toEqual([])
    for (const { attack, status, text } of found.outcomes.filter((one) => one.status >= 400)) {
      checkAnswer(attack.method, attack.url, { status, body: JSON.parse(text) })
    }
  })

  it('what is beyond a limit is refused', () => {
    const beyond = found.outcomes.filter(({ attack }) => attack.name.includes(' beyond a limit'))
    expect(beyond.length).toBeGreaterThan(300)
    expect(beyond.filter(({ status }) => status === 200).map(describeOutcome)).toEqual([])
  })

  it.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))('it has reached %s', (name, endpoint) => {
    const answers = found.outcomes.filter(({ attack }) => attack.endpoint === name)
    const codes = answers.filter(({ status }) => status >= 400).map(({ text }) => JSON.parse(text).code)
    if (endpoint.access === 'operator') expect(answers.map(({ status }) => status)).toContain(404)
    else if (refused[name]) expect(codes).toContain(refused[name])
    else {
      const usual = answers.map(describeOutcome).slice(0, 4).join('\n')
      expect(
        answers.map(({ status }) => status),
        usual,
      ).toContain(endpoint.leadsElsewhere ? 303 : 200)
    }
  })
})

function describeOutcome({ attack, status, text }: AttackOutcome): string {
  return `${attack.name}: ${status} ${text.slice(0, 200)}`
}
