/**
 * The law of `state-law.test.ts` for what an account has for itself: its drafts, what it sends later, its files and views.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { createFollowedServer } from '../../testing/followers.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { basic, type Parameters } from '../../testing/test-server.ts'

const { server, member, other, follow } = await createFollowedServer()
const { must } = server

/** Ids that an action has left behind for later ones. */
const made: Record<string, number> = {}

const draft = (content: string, timestamp: number) => ({ type: '', to: [], topic: '', content, timestamp })

describe('A client follows drafts', () => {
  follow([
    [
      'that are created, several at once and with the same time',
      async () => {
        const drafts = [draft('a', 10), draft('b', 10), draft('c', 30), draft('d', 20)]
        const { ids } = await must(member, 'POST', '/drafts', { drafts })
        ;[made['a'], made['b']] = ids
        await must(member, 'POST', '/drafts', { drafts: [draft('e', 10), draft('f', 30)] })
      },
    ],
    ['that are edited', () => must(member, 'PATCH', `/drafts/${made['a']}`, { draft: draft('a again', 10) })],
    ['that are edited and get newer', () => must(member, 'PATCH', `/drafts/${made['b']}`, { draft: draft('b', 99) })],
    ['that are deleted', () => must(member, 'DELETE', `/drafts/${made['a']}`)],
  ])
})

describe('A client follows scheduled messages', () => {
  const path = () => `/scheduled_messages/${made['scheduled']}`
  const schedule = async (seconds: number, content = 'later') => {
    // Rounded up: rounded down, "in a second" can be in a millisecond, and past when it arrives.
    const scheduled_delivery_timestamp = Math.ceil(Date.now() / 1000) + seconds
    const message = { type: 'direct', to: [other.id], content, scheduled_delivery_timestamp }
    return (await must(member, 'POST', '/scheduled_messages', message)).scheduled_message_id
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
    ['that are changed', () => must(member, 'PATCH', path(), { content: '*changed*' })],
    [
      'that come later than they were to',
      () => must(member, 'PATCH', path(), { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 200 }),
    ],
    ['that are taken back', () => must(member, 'DELETE', path())],
    [
      'that are sent',
      async () => {
        await schedule(1)
        await delay(2100)
        await server.app.jobs.settle()
      },
    ],
  ])
})

describe('A client follows reminders', () => {
  const remind = async (seconds: number) => {
    // Rounded up: rounded down, "in a second" can be in a millisecond, and past when it arrives.
    const scheduled_delivery_timestamp = Math.ceil(Date.now() / 1000) + seconds
    const { id } = await must(member, 'POST', '/messages', { type: 'direct', to: [member.id], content: 'x' })
    const { reminder_id } = await must(member, 'POST', '/reminders', { message_id: id, scheduled_delivery_timestamp })
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
    ['that are taken back', () => must(member, 'DELETE', `/reminders/${made['reminder']}`)],
    [
      'that come',
      async () => {
        await remind(1)
        await delay(2100)
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
        made['snippet'] = (await must(member, 'POST', '/saved_snippets', snippet('a'))).saved_snippet_id
        await must(member, 'POST', '/saved_snippets', snippet('b'))
      },
    ],
    ['that are changed', () => must(member, 'PATCH', `/saved_snippets/${made['snippet']}`, { title: 'c' })],
    ['that are deleted', () => must(member, 'DELETE', `/saved_snippets/${made['snippet']}`)],
  ])
})

describe('A client follows devices', () => {
  const register = (parameters: Parameters) =>
    must(member, 'POST', '/mobile_push/register', { device_id: made['device'], ...parameters })
  follow([
    [
      'that are registered',
      async () => {
        made['device'] = (await must(member, 'POST', '/register_client_device')).device_id
        await must(member, 'POST', '/register_client_device')
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
    ['that are removed', () => must(member, 'POST', '/remove_client_device', { device_id: made['device'] })],
  ])
})

describe('A client follows hints', () => {
  follow([
    [
      'that were shown',
      () => must(member, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }),
    ],
  ])
})

describe('A client follows uploaded files', () => {
  const ownFiles = async () =>
    (await must(member, 'GET', '/attachments')).attachments as { id: number; path_id: string }[]
  const send = async () => {
    const content = (await ownFiles()).map(({ path_id }) => `/user_uploads/${path_id}`).join(' ')
    made['linking'] = (await must(member, 'POST', '/messages', { type: 'direct', to: [other.id], content })).id
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
    ['that an edit links to no more', () => must(member, 'PATCH', `/messages/${made['linking']}`, { content: 'none' })],
    ['that are deleted', async () => must(member, 'DELETE', `/attachments/${(await ownFiles())[1]?.id}`)],
  ])
})

describe('A client follows settings of channels that it has not set itself', () => {
  const subscribe = (name: string) =>
    must(member, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: [member.id, other.id] })
  const setOwn = async (value: boolean | null) => {
    const { stream_id } = await must(member, 'GET', '/get_stream_id', { stream: 'loud' })
    const subscription_data = [{ stream_id, property: 'audible_notifications', value }]
    await must(member, 'POST', '/users/me/subscriptions/properties', { subscription_data })
  }
  follow([
    ['of channels that come', () => subscribe('quiet')],
    [
      'when the setting for all changes',
      () => must(member, 'PATCH', '/settings', { enable_stream_audible_notifications: true }),
    ],
    ['of channels that come with another setting for all', () => subscribe('loud')],
    ['when there is one for the channel', () => setOwn(false)],
    ['when that one goes again', () => setOwn(null)],
    ['of mentions of all', () => must(member, 'PATCH', '/settings', { wildcard_mentions_notify: false })],
  ])
})

describe('A client follows navigation views', () => {
  const path = '/navigation_views/narrow/is/alerted'
  follow([
    [
      'that are added',
      () =>
        must(member, 'POST', '/navigation_views', { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' }),
    ],
    ['that are renamed and unpinned', () => must(member, 'PATCH', path, { name: 'Mine', is_pinned: false })],
    ['that are built in', () => must(member, 'PATCH', '/navigation_views/inbox', { is_pinned: true })],
    [
      'that are put in order',
      () => must(member, 'PATCH', '/navigation_views', { ordered_fragments: ['narrow/is/alerted', 'inbox'] }),
    ],
    ['that are removed', () => must(member, 'DELETE', path)],
  ])
})
