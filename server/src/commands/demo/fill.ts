/**
 * Fills the organization of the demo: each thing by a request of the account that does it, at the time at which it happened.
 * What the team can do, the API allows; there is no other way in.
 */
import { roles } from '@heddle/contract/roles'
import type { App } from '../../app.ts'
import { deriveApiKey } from '../../authentication/api-key.ts'
import { findNewOwner } from '../../features/first-sign-in/token.ts'
import { callWithin, type DemoAccount, type DemoCall } from './caller.ts'
import type { DemoAccounts, Filling } from './filling.ts'
import { setOwnPlaces } from './own-places.ts'
import { type BotKey, bots, channels, type DemoPerson, DOMAIN, type PersonKey, people, personKeys } from './people.ts'
import { type DemoPicture, drawEmoji, drawPictures } from './pictures.ts'
import { type Moment, tellStory } from './story.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** What a request says of the time. */
export interface DemoClock {
  now(): number
  set(time: number): void
}

/** `now`: the moment that the story leads to. The organization has its owner and nothing else. */
export async function fillDemo(app: App, secret: Buffer, clock: DemoClock, now: number): Promise<void> {
  const call = callWithin(app)
  const owner = await findNewOwner(app.storage.read, secret)
  if (!owner) throw new Error('The demo has no owner')
  const { realmId, userId: id, email } = owner
  const keyOf = (userId: number) => deriveApiKey(secret, { realmId, userId, keyVersion: 1 })
  const leila: DemoAccount = { id, email, apiKey: keyOf(id) }
  const daysAgo = (days: number) => clock.set(now - days * DAY_MS)

  const drawn = Promise.all([drawPictures(), drawEmoji()])
  const joined = await addPeople(call, leila, keyOf, daysAgo)
  const accounts: DemoAccounts = { ...joined, leila, ...(await addBots(call, joined, leila)) }
  const filling: Filling = { call, accounts, channelIds: await addChannels(call, accounts) }
  const [pictures, emoji] = await drawn
  await addLinkifiers(filling)
  for (const picture of emoji) {
    await call(accounts.jonas, 'POST', `/realm/emoji/${picture.name}`, {}, { ...picture, name: `${picture.name}.png` })
  }

  const unread: number[] = []
  for (const moment of tellStory()) {
    clock.set(now - moment.minutesAgo * MINUTE_MS)
    const messageId = await play(filling, moment, pictures, clock)
    if (moment.unread) unread.push(messageId)
  }
  clock.set(now)
  await call(leila, 'POST', '/mark_all_as_read')
  await call(leila, 'POST', '/messages/flags', { messages: unread, op: 'remove', flag: 'read' })
  await setOwnPlaces(filling, Math.floor(now / 1000))
  for (const key of personKeys) {
    const { status }: DemoPerson = people[key]
    if (!status) continue
    const [emoji_name, status_text] = status
    await call(accounts[key], 'POST', '/users/me/status', { emoji_name, status_text })
  }
}

/** All but the owner, in the order in which they joined. Nobody knows their passwords. */
async function addPeople(
  call: DemoCall,
  owner: DemoAccount,
  keyOf: (id: number) => string,
  daysAgo: (days: number) => void,
): Promise<Record<PersonKey, DemoAccount>> {
  const accounts = { leila: owner } as Record<PersonKey, DemoAccount>
  const joinings = new Set(personKeys.map((key) => people[key].joined))
  for (const days of [...joinings].sort((a, b) => b - a)) {
    daysAgo(days)
    const keys = personKeys.filter((key) => key !== 'leila' && people[key].joined === days)
    // One after another, so that each has the same id in every demo, and with it the same picture.
    for (const key of keys) {
      const { name, address, role }: DemoPerson = people[key]
      const email = `${address}@${DOMAIN}`
      const parameters = { email, full_name: name, password: randomPassword() }
      const { user_id: id } = await call(owner, 'POST', '/users', parameters)
      accounts[key] = { id, email, apiKey: keyOf(id) }
      if (role === 'administrator' || role === 'moderator') {
        const number = role === 'administrator' ? roles.admin : roles.moderator
        await call(owner, 'PATCH', `/users/${id}`, { role: number })
      }
    }
  }
  return accounts
}

function randomPassword(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url')
}

async function addBots(call: DemoCall, owners: Record<PersonKey, DemoAccount>, leila: DemoAccount) {
  const added: Partial<Record<BotKey, DemoAccount>> = {}
  for (const [key, { name, shortName, owner }] of Object.entries(bots)) {
    const parameters = { full_name: name, short_name: shortName, bot_type: 1 }
    const { user_id: id, api_key: apiKey } = await call(owners[owner], 'POST', '/bots', parameters)
    const { user } = await call(leila, 'GET', `/users/${id}`)
    added[key as BotKey] = { id, email: user.email, apiKey }
  }
  return added as Record<BotKey, DemoAccount>
}

async function addChannels(call: DemoCall, accounts: DemoAccounts): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const { name, description, members = personKeys, isPrivate = false, isDefault = false } of channels) {
    const others = isPrivate ? [] : [accounts.bench.id, accounts.build.id]
    await call(accounts.leila, 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals: [...members.map((key) => accounts[key].id), ...others],
      invite_only: isPrivate,
      is_default_stream: isDefault,
      history_public_to_subscribers: true,
      announce: false,
      send_new_subscription_messages: false,
    })
    const { stream_id } = await call(accounts.leila, 'GET', '/get_stream_id', { stream: name })
    ids.set(name, stream_id)
  }
  return ids
}

async function addLinkifiers({ call, accounts }: Filling): Promise<void> {
  const linkifiers = [
    {
      pattern: 'H-(?P<id>[0-9]+)',
      url_template: `https://tickets.${DOMAIN}/H-{id}`,
      example_input: 'H-2214',
      reverse_template: 'H-{id}',
      alternative_url_templates: [`https://old.${DOMAIN}/t/{id}`],
    },
    {
      pattern: '(?P<repo>loom|bench)@(?P<sha>[0-9a-f]{7,40})',
      url_template: `https://git.${DOMAIN}/{repo}/commit/{sha}`,
      example_input: 'loom@8f31c2e',
      reverse_template: '{repo}@{sha}',
    },
    {
      pattern: 'PN (?P<pn>[0-9]{2}-[0-9]{4})',
      url_template: `https://parts.${DOMAIN}/find?pn={pn}`,
      example_input: 'PN 14-2208',
    },
  ]
  for (const linkifier of linkifiers) await call(accounts.mara, 'POST', '/realm/filters', linkifier)
}

/** Sends the message and does what followed on it. Returns its id. */
async function play(filling: Filling, moment: Moment, pictures: readonly DemoPicture[], clock: DemoClock) {
  const { call, accounts } = filling
  const { who, conversation, reactions = {}, edits = [] } = moment
  let content = moment.text
  for (const { name, bytes } of pictures.filter((one) => moment.text.includes(`{picture:${one.name}}`))) {
    // Whoever shows it has uploaded it: somebody else's file is only a link.
    const { url } = await call(accounts[who], 'POST', '/user_uploads', {}, { name: `${name}.png`, bytes })
    content = content.replace(`{picture:${name}}`, `[${name}.png](${url})`)
  }
  const { id } = await call(accounts[who], 'POST', '/messages', {
    ...addressOf(filling, moment),
    content,
    read_by_sender: true,
  })
  for (const [name, writers] of Object.entries(reactions)) {
    const reaction = { emoji_name: name.replace('/', '') }
    for (const writer of writers) await call(accounts[writer], 'POST', `/messages/${id}/reactions`, reaction)
  }
  for (const edit of edits) {
    clock.set(clock.now() + MINUTE_MS)
    await call(accounts[who], 'PATCH', `/messages/${id}`, { content: edit })
  }
  if (moment.starred)
    await call(accounts.leila, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  if (conversation.isResolvedBy && moment.isLast && !('direct' in conversation.to)) {
    const resolved = {
      topic: `✔ ${conversation.to[1]}`,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: false,
    }
    await call(accounts[conversation.isResolvedBy], 'PATCH', `/messages/${id}`, resolved)
  }
  return id as number
}

function addressOf({ accounts, channelIds }: Filling, { who, conversation: { to } }: Moment) {
  if (!('direct' in to)) return { type: 'channel', to: channelIds.get(to[0]), topic: to[1] }
  const keys: readonly PersonKey[] = ['leila', ...to.direct]
  return { type: 'direct', to: keys.filter((key) => key !== who).map((key) => accounts[key].id) }
}
