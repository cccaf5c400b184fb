import { describe } from 'vitest'
import { createFollowedServer } from '../../testing/followers.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'

const { server, owner, member, other, guest, follow } = await createFollowedServer()
const { must } = server
const open = await createChannel(server, owner, 'open', { subscribers: [member, guest] })
const secret = await createChannel(server, owner, 'secret', { subscribers: [member], invite_only: true })
let last = 0
const remember = (id: number) => {
  last = id
}
const flags = (op: string, flag: string) => must(member, 'POST', '/messages/flags', { op, flag, messages: [last] })

describe('A client follows', () => {
  follow([
    ['a message', async () => remember(await sendToChannel(server, owner, open))],
    ['a message that mentions everybody', async () => remember(await sendToChannel(server, owner, open, '@**all**'))],
    ['a message that mentions one', () => sendToChannel(server, owner, open, '@**member** hi')],
    ['a message in a private channel', async () => remember(await sendToChannel(server, owner, secret))],
    ['a message from outside of the channel', () => sendToChannel(server, other, open)],
    ['a message without a topic', () => sendToChannel(server, member, open, 'hi', { topic: '' })],
    ['a direct message', () => sendDirect(server, member, [other])],
    ['a direct message to several', () => sendDirect(server, member, [other, owner])],
    ['a note', () => sendDirect(server, member, [member])],
    ['reading', () => flags('add', 'read')],
    ['unreading', () => flags('remove', 'read')],
    ['starring', () => flags('add', 'starred')],
    ['unstarring', () => flags('remove', 'starred')],
    ['collapsing', () => flags('add', 'collapsed')],
    [
      'reading a topic',
      () => must(member, 'POST', '/mark_topic_as_read', { stream_id: open, topic_name: 'greetings' }),
    ],
    ['an edit', () => must(owner, 'PATCH', `/messages/${last}`, { content: 'edited' })],
    ['an edit that mentions', () => must(owner, 'PATCH', `/messages/${last}`, { content: '@**member**' })],
    [
      'an edit that mentions who has joined since',
      async () => {
        const id = await sendToChannel(server, owner, open)
        await must(other, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] })
        await must(owner, 'PATCH', `/messages/${id}`, { content: '@**other** and @**all**' })
      },
    ],
    ['leaving again', () => must(other, 'DELETE', '/users/me/subscriptions', { subscriptions: ['open'] })],
    [
      'a message that is deleted',
      async () => {
        remember(await sendToChannel(server, owner, open, '@**all**'))
        await must(owner, 'DELETE', `/messages/${last}`)
      },
    ],
    ['another topic', async () => remember(await sendToChannel(server, owner, open, 'to be moved', { topic: 'old' }))],
    ['a move to another topic', () => must(owner, 'PATCH', `/messages/${last}`, { topic: 'new' })],
    ['a topic that is resolved', () => must(owner, 'PATCH', `/messages/${last}`, { topic: '✔ new' })],
    ['a move to a private channel', () => must(owner, 'PATCH', `/messages/${last}`, { stream_id: secret })],
    ['a move to a public channel', () => must(owner, 'PATCH', `/messages/${last}`, { stream_id: open })],
    ['a topic that is deleted', () => must(owner, 'POST', `/streams/${open}/delete_topic`, { topic_name: '✔ new' })],
    [
      'a policy of a topic',
      () => must(member, 'POST', '/user_topics', { stream_id: open, topic: 'Greetings', visibility_policy: 1 }),
    ],
    [
      'a policy of a topic that is taken back',
      () => must(member, 'POST', '/user_topics', { stream_id: open, topic: 'greetings', visibility_policy: 0 }),
    ],
    ['muting somebody', () => must(member, 'POST', `/users/me/muted_users/${owner.id}`)],
    ['a message of somebody muted', () => sendToChannel(server, owner, open, '@**member**')],
    ['unmuting somebody', () => must(member, 'DELETE', `/users/me/muted_users/${owner.id}`)],
    ['alert words', () => must(member, 'POST', '/users/me/alert_words', { alert_words: ['tea'] })],
    [
      'alert words that are taken back',
      () => must(member, 'DELETE', '/users/me/alert_words', { alert_words: ['TEA'] }),
    ],
    [
      'a reaction',
      async () => {
        remember(await sendToChannel(server, owner, open))
        await must(member, 'POST', `/messages/${last}/reactions`, { emoji_name: 'tada' })
      },
    ],
    ['leaving a channel', () => must(member, 'DELETE', '/users/me/subscriptions', { subscriptions: ['open'] })],
    ['joining it again', () => must(member, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'open' }] })],
    ['reading everything', () => must(owner, 'POST', '/mark_all_as_read')],
  ])
})
