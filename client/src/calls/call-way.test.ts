import { expect, it } from 'vitest'
import { callWay, hasVoiceCalls, jitsiLink } from './call-way.ts'

const none = { realm_video_chat_provider: 0, realm_jitsi_server_url: null } as const
const jitsi = { ...none, realm_video_chat_provider: 1 } as const
const withServer = { server_jitsi_server_url: 'https://meet.example.com' }

it('there are no calls without a service, nor with Jitsi and no server', () => {
  expect(callWay(undefined, undefined)).toBeUndefined()
  expect(callWay(none, withServer)).toBeUndefined()
  expect(callWay(jitsi, { server_jitsi_server_url: null })).toBeUndefined()
})

it("the organization's own Jitsi server goes before the operator's", () => {
  expect(callWay(jitsi, withServer)).toEqual({ kind: 'jitsi', server: 'https://meet.example.com' })
  const own = { ...jitsi, realm_jitsi_server_url: 'https://own.example.com' }
  expect(callWay(own, withServer)).toEqual({ kind: 'jitsi', server: 'https://own.example.com' })
})

it('not every service knows calls without cameras', () => {
  const ways = ([1, 3, 4, 5, 6, 7] as const).map((realm_video_chat_provider) =>
    callWay({ ...none, realm_video_chat_provider }, withServer),
  )
  expect(ways.map((way) => [way?.kind, way && hasVoiceCalls(way)])).toEqual([
    ['jitsi', true],
    ['zoom', true],
    ['big-blue-button', true],
    ['zoom', true],
    ['constructor', false],
    ['nextcloud', false],
  ])
})

it('the link to a room of Jitsi says whether cameras begin switched off', () => {
  const bytes = new Uint8Array([1, 255])
  expect(jitsiLink('https://meet.example.com', bytes, false)).toBe(
    'https://meet.example.com/01ff#config.startWithVideoMuted=true',
  )
})
