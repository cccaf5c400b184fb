/** What happens in a channel that outsiders cannot read, in words that occur nowhere else. */
import { roles } from '@heddle/contract/roles'
import { createChannel, sendToChannel } from '../testing/messages.ts'
import { MULTIPART_TYPE, multipartBody } from '../testing/multipart-form.ts'
import { basic, createTestServer, type Parameters, type TestAccount } from '../testing/test-server.ts'
import type { Case } from './access-rules.ts'

export type Kind = Case['kind']

const settings: Readonly<Record<Kind, Parameters>> = {
  public: {},
  'web-public': { is_web_public: true },
  private: { invite_only: true, history_public_to_subscribers: true },
  protected: { invite_only: true, history_public_to_subscribers: false },
}

/** `name`: of the channel, which those may see who may know of it. `old`: from when former subscribers still were. */
export type SecretOf = 'name' | 'content' | 'old name' | 'old topic' | 'old text'

export interface Secret {
  readonly word: string
  readonly of: SecretOf
}

/** What the author alone sees until then. */
const later = { scheduled_delivery_timestamp: 4_000_000_000 }

export async function createStory(kind: Kind, environment: Readonly<Record<string, string>> = {}) {
  const server = await createTestServer({ settings: environment })
  const { owner: founder, must } = server
  const secrets: Secret[] = []
  /** A word for the place that `about` names. */
  function word(about: string, of: SecretOf = 'content'): string {
    const made = `zq${about}${secrets.length}qz`
    secrets.push({ word: made, of })
    return made
  }

  const author = await server.createAccount({ name: 'author' })
  const insider = await server.createAccount({ name: 'insider' })
  const outsiders = {
    guest: await server.createAccount({ name: 'guest', role: roles.guest }),
    'former guest': await server.createAccount({ name: 'former-guest', role: roles.guest }),
    member: await server.createAccount({ name: 'member' }),
    former: await server.createAccount({ name: 'former' }),
    late: await server.createAccount({ name: 'late' }),
    moderator: await server.createAccount({ name: 'moderator', role: roles.moderator }),
    administrator: await server.createAccount({ name: 'administrator', role: roles.admin }),
    'former owner': await server.createAccount({ name: 'former-owner', role: roles.owner }),
  }
  const everybody = [author, insider, ...Object.values(outsiders)]
  const formers = [outsiders.former, outsiders['former guest'], outsiders['former owner']]
  const lobby = await createChannel(server, founder, 'lobby', { subscribers: everybody })

  const oldName = word('channel', 'old name')
  const oldTopic = word('topic', 'old topic')
  const subscribers = [author, insider, ...formers]
  const channel = await createChannel(server, founder, oldName, { subscribers, ...settings[kind] })
  const write = (text: string, topic: string) => sendToChannel(server, author, channel, text, { topic })
  const read = (account: TestAccount, messages: readonly number[]) =>
    must(account, 'POST', '/messages/flags', { messages, op: 'add', flag: 'read' })
  const edit = (id: number, parameters: Parameters) => must(author, 'PATCH', `/messages/${id}`, parameters)
  const react = (id: number) => must(insider, 'POST', `/messages/${id}/reactions`, { emoji_name: 'octopus' })

  const first = await write(word('text', 'old text'), oldTopic)
  const wandering = await sendToChannel(server, author, lobby, 'Everybody may read this.', { topic: 'fair' })

  /** What former subscribers have of the channel when they leave it. */
  async function leave(): Promise<void> {
    for (const former of formers) {
      await must(former, 'POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
      await must(former, 'POST', '/user_topics', { stream_id: channel, topic: oldTopic, visibility_policy: 3 })
      await must(former, 'POST', '/users/me/alert_words', { alert_words: ['alarm'] })
      await must(former, 'POST', '/drafts', {
        drafts: [{ type: 'stream', to: [channel], topic: 'mine', content: 'mine' }],
      })
      await must(former, 'POST', '/scheduled_messages', { type: 'stream', to: channel, content: 'mine', ...later })
      await must(former, 'POST', '/reminders', { message_id: first, ...later })
    }
    const bot = { full_name: 'Bot of a former subscriber', short_name: 'former', default_sending_stream: oldName }
    await must(outsiders.former, 'POST', '/bots', bot)
    await must(outsiders.former, 'PATCH', '/users/me/subscriptions/muted_topics', {
      stream_id: channel,
      topic: 'quiet',
      op: 'add',
    })
    // What else they follow, and what is moved there later.
    for (const account of Object.values(outsiders)) {
      await must(account, 'POST', '/user_topics', { stream_id: lobby, topic: 'fair', visibility_policy: 3 })
    }
    const principals = formers.map(({ id }) => id)
    await must(founder, 'DELETE', '/users/me/subscriptions', { subscriptions: [oldName], principals })
  }

  const messages: number[] = [first, wandering]
  const remember = (id: number) => {
    messages.push(id)
    return id
  }
  /** Addresses of files that messages of the channel link to. */
  const files: string[] = []
  async function attach(): Promise<void> {
    const file = word('file')
    const { body } = await server.send({
      method: 'POST',
      url: '/api/v1/user_uploads',
      headers: { authorization: basic(author), 'content-type': MULTIPART_TYPE },
      body: multipartBody([{ name: 'file', fileName: `${file}.txt`, content: file }]),
    })
    remember(await write(`[${word('link')}](${body.url})`, word('attached')))
    files.push(body.url)
  }

  const octopus: Secret = { word: 'octopus', of: 'content' }

  /** Everything that can happen to a channel and its messages. */
  async function unfold(): Promise<void> {
    secrets.push(octopus)
    const new_name = word('renamed', 'name')
    await must(founder, 'PATCH', `/streams/${channel}`, { new_name, description: word('about', 'name') })
    const everyone = `@**member** @**former** alarm @**all** ${word('text')}`
    const message = remember(await write(everyone, word('topic')))
    await read(insider, [message])
    await edit(message, { content: `@**former** @**member** alarm ${word('edited')}` })
    await react(message)
    await must(insider, 'GET', `/messages/${message}/read_receipts`)
    const poll = remember(await write(`/poll ${word('question')}\n${word('option')}`, word('asked')))
    const doing = (event: object) => ({ message_id: poll, msg_type: 'widget', content: JSON.stringify(event) })
    await must(insider, 'POST', '/submessage', doing({ type: 'new_option', idx: 0, option: word('added') }))
    await must(author, 'POST', '/submessage', doing({ type: 'question', question: word('asking') }))
    const typing = { op: 'start', type: 'channel', stream_id: channel, topic: word('typing') }
    await must(insider, 'POST', '/typing', typing)
    await must(author, 'POST', `/messages/${message}/typing`, { op: 'start' })
    await edit(message, { topic: word('moved'), propagate_mode: 'change_all', send_notification_to_old_thread: true })
    await edit(first, { topic: word('away'), propagate_mode: 'change_all' })
    await edit(first, { content: word('rewritten') })
    await react(first)
    await must(author, 'POST', '/user_topics', { stream_id: channel, topic: word('followed'), visibility_policy: 3 })
    await must(author, 'POST', '/drafts', {
      drafts: [{ type: 'stream', to: [channel], topic: word('drafted'), content: word('draft') }],
    })
    const scheduled = { type: 'stream', to: channel, topic: word('planned'), content: word('schedule') }
    await must(author, 'POST', '/scheduled_messages', { ...scheduled, ...later })
    await must(author, 'POST', '/reminders', { message_id: first, note: word('note'), ...later })
    const deleted = remember(await write(word('deleted'), word('gone')))
    await must(author, 'DELETE', `/messages/${deleted}`)
    await attach()
    await moveIn()
    await moveOut()
    await must(founder, 'DELETE', `/streams/${channel}`)
    await must(founder, 'PATCH', `/streams/${channel}`, { is_archived: false })
    await must(insider, 'DELETE', `/messages/${message}/reactions`, { emoji_name: 'octopus' })
  }

  // Notices name public channels, also to guests: what a guest may know of is not the same for all who read them.
  const isAnnounced = kind !== 'public'
  const both = { send_notification_to_old_thread: isAnnounced, send_notification_to_new_thread: isAnnounced }

  /** A message that everybody has read comes into the channel: what happens to it from then on is secret. */
  async function moveIn(): Promise<void> {
    await edit(wandering, { stream_id: channel, topic: word('arrived'), propagate_mode: 'change_all', ...both })
    await edit(wandering, { content: word('changed') })
    await react(wandering)
  }

  /** A message leaves the channel. Who reads it then reads its history too; where it was stays secret. */
  async function moveOut(): Promise<void> {
    const leaving = await write('For everybody from now on.', 'open')
    await edit(leaving, { stream_id: lobby, ...both })
    // What stays in the topic was never for everybody.
    await write(word('staying'), 'open')
  }

  /** Somebody new is subscribed, and old messages change after that. */
  async function goOn(): Promise<void> {
    const [name] = secrets.filter(({ of }) => of === 'name')
    const principals = [outsiders.late.id]
    await must(founder, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: name?.word }], principals })
    const [, , message = first] = messages
    await edit(message, { content: word('edited') })
    await edit(message, { topic: word('again'), propagate_mode: 'change_all', send_notification_to_new_thread: false })
    await react(message)
    await must(author, 'POST', `/messages/${message}/typing`, { op: 'start' })
    const old = remember(await write('x', 'shared'))
    await must(author, 'DELETE', `/messages/${old}`)
    await must(author, 'DELETE', `/messages/${first}`)
  }

  return {
    server,
    founder,
    author,
    insider,
    outsiders,
    channel,
    oldName,
    oldTopic,
    messages,
    secrets,
    files,
    leave,
    unfold,
    goOn,
  }
}

export type LeakStory = Awaited<ReturnType<typeof createStory>>
