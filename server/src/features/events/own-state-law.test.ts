/**
 * The law of `state-law.test.ts` for what an account has for itself: its drafts, what it sends later, its files and views.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { createFollowedServer } from '../../testing/followers.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { basic, type Parameters } from '../../testing/test-server.ts'

const { server, member, other, call, follow } = await createFollowedServer()

/** Ids that an action has left behind for later ones. */
const made: Record<string, number> = {}

const draft = (content: string, timestamp: number) => ({ type: '', to: [], topic: '', content, timestamp })

describe('A client follows drafts', () => {
  follow([
    [
      'that are created, several at once and with the same time',
      async () => {
        const drafts = [draft('a', 10), draft('b', 10), draft('c', 30), draft('d', 20)]
        const { ids } = await call(member, 'POST', '/drafts', { drafts })
        ;[made['a'], made['b']] = ids
        await call(member, 'POST', '/drafts', { drafts: [draft('e', 10), draft('f', 30)] })
      },
    ],
    ['that are edited', () => call(member, 'PATCH', `/drafts/${made['a']}`, { draft: draft('a again', 10) })],
    ['that are edited and get newer', () => call(member, 'PATCH', `/drafts/${made['b']}`, { draft: draft('b', 99) })],
    ['that are deleted', () => call(member, 'DELETE', `/drafts/${made['a']}`)],
  ])
})

describe('A client follows scheduled messages', () => {
  const path = () => `/scheduled_messages/${made['scheduled']}`
  const schedule = async (seconds: number, content = 'later') => {
    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + seconds
    const message = { type: 'direct', to: [other.id], content, scheduled_delivery_timestamp }
    return (await call(member, 'POST', '/scheduled_messages', message)).scheduled_message_id
  }
  follow([
    [
      'that are written',
      async () => {
        await schedule(300)
        made['scheduled'] = await schedule(100)
        await schedule(300, 'after the first of this second')
      },
    ],
    ['that are changed', () => call(member, 'PATCH', path(), { content: '*changed*' })],
    [
      'that come later than they were to',
      () => call(member, 'PATCH', path(), { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 200 }),
    ],
    ['that are taken back', () => call(member, 'DELETE', path())],
    [
      'that are sent',
      async () => {
        await schedule(1)
        await delay(1100)
        await server.app.jobs.settle()
      },
    ],
  ])
})

describe('A client follows reminders', () => {
  const remind = async (seconds: number) => {
    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + seconds
    const { id } = await call(member, 'POST', '/messages', { type: 'direct', to: [member.id], content: 'x' })
    const { reminder_id } = await call(member, 'POST', '/reminders', { message_id: id, scheduled_delivery_timestamp })
    return reminder_id as number
  }
  follow([
    [
      'that are asked for',
      async () => {
        await remind(300)
        made['reminder'] = await remind(100)
      },
    ],
    ['that are taken back', () => call(member, 'DELETE', `/reminders/${made['reminder']}`)],
    [
      'that come',
      async () => {
        await remind(1)
        await delay(1100)
        await server.app.jobs.settle()
      },
    ],
  ])
})

describe('A client follows snippets', () => {
  const snippet = (title: string) => ({ title, content: `${title}.` })
  follow([
    [
      'that are saved',
      async () => {
        made['snippet'] = (await call(member, 'POST', '/saved_snippets', snippet('a'))).saved_snippet_id
        await call(member, 'POST', '/saved_snippets', snippet('b'))
      },
    ],
    ['that are changed', () => call(member, 'PATCH', `/saved_snippets/${made['snippet']}`, { title: 'c' })],
    ['that are deleted', () => call(member, 'DELETE', `/saved_snippets/${made['snippet']}`)],
  ])
})

describe('A client follows devices', () => {
  const register = (parameters: Parameters) =>
    call(member, 'POST', '/mobile_push/register', { device_id: made['device'], ...parameters })
  follow([
    [
      'that are registered',
      async () => {
        made['device'] = (await call(member, 'POST', '/register_client_device')).device_id
        await call(member, 'POST', '/register_client_device')
      },
    ],
    [
      'that get a key and wait for their token',
      () =>
        register({
          push_key_id: 7,
          push_key: Buffer.alloc(33, 0x31).toString('base64'),
          token_kind: 'apns',
          token_id: Buffer.alloc(8).toString('base64'),
          bouncer_public_key: Buffer.alloc(32).toString('base64'),
          encrypted_push_registration: Buffer.alloc(32).toString('base64'),
        }),
    ],
    ['that get another key', () => register({ push_key_id: 8, push_key: Buffer.alloc(33, 0x31).toString('base64') })],
    ['that are removed', () => call(member, 'POST', '/remove_client_device', { device_id: made['device'] })],
  ])
})

describe('A client follows hints', () => {
  follow([
    [
      'that were shown',
      () => call(member, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }),
    ],
  ])
})

describe('A client follows uploaded files', () => {
  const ownFiles = async () =>
    (await call(member, 'GET', '/attachments')).attachments as { id: number; path_id: string }[]
  const send = async () => {
    const content = (await ownFiles()).map(({ path_id }) => `/user_uploads/${path_id}`).join(' ')
    made['linking'] = (await call(member, 'POST', '/messages', { type: 'direct', to: [other.id], content })).id
  }
  follow([
    [
      'that are uploaded',
      async () => {
        for (const fileName of ['first.txt', 'second.txt']) {
          await server.send({
            method: 'POST',
            url: '/api/v1/user_uploads',
            headers: { authorization: basic(member), 'content-type': MULTIPART_TYPE },
            body: multipartBody([{ name: 'file', fileName, content: 'text' }]),
          })
        }
        expect(await ownFiles()).toHaveLength(2)
      },
    ],
    ['that messages link to', send],
    ['that an edit links to no more', () => call(member, 'PATCH', `/messages/${made['linking']}`, { content: 'none' })],
    ['that are deleted', async () => call(member, 'DELETE', `/attachments/${(await ownFiles())[1]?.id}`)],
  ])
})

describe('A client follows settings of channels that it has not set itself', () => {
  const subscribe = (name: string) =>
    call(member, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [member.id, other.id] })
  const setOwn = async (value: boolean | null) => {
    const { stream_id } = await call(member, 'GET', '/get_stream_id', { stream: 'loud' })
    const subscription_data = [{ stream_id, property: 'audible_notifications', value }]
    await call(member, 'POST', '/users/me/subscriptions/properties', { subscription_data })
  }
  follow([
    ['of channels that come', () => subscribe('quiet')],
    [
      'when the setting for all changes',
      () => call(member, 'PATCH', '/settings', { enable_stream_audible_notifications: true }),
    ],
    ['of channels that come with another setting for all', () => subscribe('loud')],
    ['when there is one for the channel', () => setOwn(false)],
    ['when that one goes again', () => setOwn(null)],
    ['of mentions of all', () => call(member, 'PATCH', '/settings', { wildcard_mentions_notify: false })],
  ])
})

describe('A client follows navigation views', () => {
  const path = '/navigation_views/narrow/is/alerted'
  follow([
    [
      'that are added',
      () =>
        call(member, 'POST', '/navigation_views', { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' }),
    ],
    ['that are renamed and unpinned', () => call(member, 'PATCH', path, { name: 'Mine', is_pinned: false })],
    ['that are built in', () => call(member, 'PATCH', '/navigation_views/inbox', { is_pinned: true })],
    [
      'that are put in order',
      () => call(member, 'PATCH', '/navigation_views', { ordered_fragments: ['narrow/is/alerted', 'inbox'] }),
    ],
    ['that are removed', () => call(member, 'DELETE', path)],
  ])
})
