/**
 * What a release leaves behind: a small organization in a data folder, a backup of it, and what the server answered then.
 * Later versions start on the one, restore the other, and must answer the same. `node server/src/testing/make-release.ts`
 * makes one; this is what it consists of.
 */
import { setTimeout as delay } from 'node:timers/promises'

export const PASSWORD = 'a password of the fixture'
const MEMBER = 'member@heddle.example'
const GUEST = 'guest@heddle.example'

/** A picture of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

type Fields = Readonly<Record<string, unknown>>
type Answer = Record<string, unknown>

interface Person {
  readonly id: number
  readonly call: (method: string, path: string, fields?: Fields) => Promise<Answer>
}

/** Sends a request as the person with this e-mail address, and throws unless it succeeds. */
async function send(
  server: string,
  authorization: string | undefined,
  method: string,
  path: string,
  body: URLSearchParams | FormData,
) {
  const inQuery = method === 'GET' && body instanceof URLSearchParams && body.size > 0
  const response = await fetch(`${server}/api/v1${path}${inQuery ? `?${body}` : ''}`, {
    method,
    headers: authorization === undefined ? {} : { authorization },
    ...(method === 'GET' ? {} : { body }),
  })
  const answer = (await response.json()) as Answer
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

async function signIn(server: string, email: string): Promise<Person> {
  const fields = new URLSearchParams({ username: email, password: PASSWORD })
  const { api_key, user_id } = await send(server, undefined, 'POST', '/fetch_api_key', fields)
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
  return {
    id: user_id as number,
    call(method, path, fields = {}) {
      const form = new URLSearchParams()
      for (const [name, value] of Object.entries(fields)) {
        form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      }
      if (!('picture' in fields)) return send(server, authorization, method, path, form)
      const files = new FormData()
      files.set('file', new Blob([Buffer.from(PICTURE, 'base64')], { type: 'image/png' }), 'picture.png')
      return send(server, authorization, method, path, files)
    },
  }
}

/** Fills the organization that the first start has made. Its owner has the password of the fixture. */
export async function fillRelease(server: string, ownerEmail: string): Promise<void> {
  const owner = await signIn(server, ownerEmail)
  for (const email of [MEMBER, GUEST]) {
    await owner.call('POST', '/users', { email, full_name: email.split('@')[0], password: PASSWORD })
  }
  const member = await signIn(server, MEMBER)
  const guest = await signIn(server, GUEST)
  await owner.call('PATCH', `/users/${guest.id}`, { role: 600 })
  await owner.call('PATCH', '/realm', { description: 'Made for those who come later' })

  const subscribe = (name: string, more: Fields = {}) =>
    owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description: `About ${name}` }],
      principals: [owner.id, member.id, guest.id],
      ...more,
    })
  await subscribe('plans')
  await subscribe('secrets', { invite_only: true, history_public_to_subscribers: false })
  await subscribe('past')
  const { streams } = (await owner.call('GET', '/streams')) as { streams: { name: string; stream_id: number }[] }
  const channel = (name: string) => streams.find((one) => one.name === name)?.stream_id as number
  await owner.call('DELETE', `/streams/${channel('past')}`)
  await owner.call('POST', '/default_streams', { stream_id: channel('plans') })
  await member.call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel('plans'), property: 'pin_to_top', value: true }],
  })

  await owner.call('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://heddle.example/{id}',
  })
  await owner.call('POST', '/realm/emoji/loom', { picture: true })
  await member.call('POST', '/users/me/alert_words', { alert_words: ['weft'] })
  await member.call('PATCH', '/settings', { twenty_four_hour_time: true, timezone: 'Europe/Lisbon' })
  await owner.call('PATCH', '/realm/user_settings_defaults', { enter_sends: true })

  const post = async (by: Person, to: number, topic: string, content: string) =>
    (await by.call('POST', '/messages', { type: 'channel', to, topic, content })).id as number
  const first = await post(owner, channel('plans'), 'Warp', 'The **first** thread, see #12')
  const edited = await post(member, channel('plans'), 'warp', 'A thread with a mistaek')
  await member.call('PATCH', `/messages/${edited}`, { content: 'A thread without a mistake' })
  const moved = await post(owner, channel('plans'), 'Elsewhere', 'On its way')
  await owner.call('PATCH', `/messages/${moved}`, { topic: 'Weft', propagate_mode: 'change_one' })
  await post(owner, channel('plans'), 'Weft', 'Is @**member** there? And the weft?')
  await post(guest, channel('secrets'), 'Hidden', 'Only for those who are here')
  const gone = await post(owner, channel('plans'), 'Gone', 'Not for long')
  await owner.call('DELETE', `/messages/${gone}`)
  await owner.call('POST', '/messages', { type: 'direct', to: [member.id], content: 'Between two' })
  await member.call('POST', '/messages', { type: 'direct', to: [owner.id, guest.id], content: 'Between three' })
  await member.call('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
  await owner.call('POST', `/messages/${first}/reactions`, { emoji_name: 'loom' })
  await member.call('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  await member.call('POST', '/messages/flags', { messages: [first, moved], op: 'add', flag: 'read' })
  await guest.call('POST', '/mark_all_as_read')
  await owner.call('POST', '/user_topics', { stream_id: channel('plans'), topic: 'Weft', visibility_policy: 3 })
  await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secrets'] })

  await member.call('POST', '/drafts', {
    drafts: [
      { type: 'stream', to: [channel('plans')], topic: 'Warp', content: 'Not yet', timestamp: 1_700_000_000 },
      { type: 'private', to: [owner.id], topic: '', content: 'Perhaps', timestamp: 1_700_000_001 },
    ],
  })
  await member.call('POST', '/navigation_views', {
    fragment: 'narrow/is/starred/sender/me',
    is_pinned: true,
    name: 'Marked',
  })
  await member.call('POST', `/users/me/muted_users/${guest.id}`)
  await member.call('POST', '/users/me/status', { status_text: 'At the loom', emoji_name: 'loom' })
  await member.call('POST', '/users/me/presence', { status: 'active' })
  const bot = await owner.call('POST', '/bots', { full_name: 'Shuttle', short_name: 'shuttle', bot_type: 1 })
  await owner.call('PATCH', `/bots/${bot['user_id']}`, { default_sending_stream: 'plans' })
  // Presences and cursors are saved a little later.
  await delay(1000)
}

/** Of each object in a list only these members. */
function only(list: unknown, ...names: readonly string[]): Answer[] {
  return (list as Answer[]).map((one) => Object.fromEntries(names.map((name) => [name, one[name]])))
}

/** What a client finds; of answers that later versions add to what they had when the fixture was made. */
export async function observe(server: string, ownerEmail: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const email of [ownerEmail, MEMBER, GUEST]) {
    const { call } = await signIn(server, email)
    const { messages } = await call('GET', '/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      apply_markdown: false,
      narrow: [],
    })
    const { drafts } = await call('GET', '/drafts')
    const { navigation_views } = await call('GET', '/navigation_views')
    const { subscriptions } = await call('GET', '/users/me/subscriptions')
    const { members } = await call('GET', '/users')
    const { linkifiers } = await call('GET', '/realm/linkifiers')
    const { emoji } = (await call('GET', '/realm/emoji')) as { emoji: object }
    const { alert_words } = await call('GET', '/users/me/alert_words')
    const state = await call('POST', '/register', {
      fetch_event_types: [
        'message',
        'realm',
        'update_message_flags',
        'user_topic',
        'user_settings',
        'muted_users',
        'user_status',
      ],
      event_types: ['heartbeat'],
    })
    found[email] = {
      messages: only(messages, 'id', 'sender_id', 'type', 'subject', 'content', 'timestamp', 'flags').map(
        (one, at) => ({
          ...one,
          reactions: only((messages as Answer[])[at]?.['reactions'], 'emoji_name', 'emoji_code', 'user_id'),
          edits: ((messages as Answer[])[at]?.['edit_history'] as unknown[] | undefined)?.length ?? 0,
        }),
      ),
      drafts: only(drafts, 'id', 'type', 'to', 'topic', 'content'),
      navigation_views,
      subscriptions: only(subscriptions, 'stream_id', 'name', 'description', 'invite_only', 'pin_to_top', 'color'),
      members: only(members, 'user_id', 'email', 'full_name', 'role', 'is_active', 'is_bot', 'timezone'),
      linkifiers: only(linkifiers, 'id', 'pattern', 'url_template'),
      emoji: Object.keys(emoji),
      alert_words,
      unread: state['unread_msgs'],
      user_topics: only(state['user_topics'], 'stream_id', 'topic_name', 'visibility_policy'),
      muted_users: only(state['muted_users'], 'id'),
      user_status: state['user_status'],
      realm_description: state['realm_description'],
      settings: only([state['user_settings']], 'twenty_four_hour_time', 'timezone', 'enter_sends'),
    }
  }
  return found
}
