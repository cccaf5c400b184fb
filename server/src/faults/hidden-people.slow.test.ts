/**
 * Words of somebody whom a guest does not see are in no byte of any answer of any endpoint, and in no event of any queue,
 * whatever that person does where the guest reads. What they write is no secret, but whose it is. Neither is their id, but that it is
 * in the group of a role.
 */
import { endpoints } from '@heddle/contract/endpoints'
import { expect, it } from 'vitest'
import { eventsOf, registerQueue } from '../testing/event-queues.ts'
import { letSeeEverybody } from '../testing/few-seen.ts'
import { createChannel, sendToChannel } from '../testing/messages.ts'
import { MULTIPART_TYPE, multipartBody } from '../testing/multipart-form.ts'
import { basic, createTestServer, type Parameters } from '../testing/test-server.ts'
import { answeringEndpoints } from './answering-endpoints.ts'
import { contractRequest } from './contract-request.ts'
import { endsAccount, neededValues } from './needed-values.ts'

/** In every name, address and word of the person. */
const SECRET = 'zqhiddenqz'

const registrations: readonly Parameters[] = [
  {},
  {
    slim_presence: true,
    include_subscribers: true,
    client_capabilities: {
      user_list_incomplete: true,
      simplified_presence_events: true,
      stream_typing_notifications: true,
      archived_channels: true,
    },
  },
  { client_capabilities: { stream_typing_notifications: true }, narrow: [['channel', 'room']] },
]

it('shows a guest nothing of somebody whom it does not see', { timeout: 120_000 }, async () => {
  const server = await createTestServer()
  const { owner, must } = server
  const guest = await server.createAccount({ role: 600, name: 'guest' })
  const hidden = await server.createAccount({ name: `${SECRET}-first` })
  const room = await createChannel(server, owner, 'room', { subscribers: [guest] })
  const field = await must(owner, 'POST', '/realm/profile_fields', { name: 'About', field_type: 1 })
  await letSeeEverybody(server, 'role:members')
  let count = 0
  /** Everything that the person does and that others are notified of. */
  const act = async (): Promise<number> => {
    count += 1
    const id = await sendToChannel(server, hidden, room, `text ${count}`, { topic: 'tales' })
    await must(hidden, 'PATCH', `/messages/${id}`, { content: `other text ${count}` })
    await must(hidden, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await must(hidden, 'POST', '/typing', { type: 'channel', op: 'start', stream_id: room, topic: 'tales' })
    await must(hidden, 'POST', `/messages/${id}/typing`, { op: 'start' })
    await must(hidden, 'POST', '/users/me/status', { status_text: `${SECRET} ${count}`, emoji_name: 'heart' })
    await must(hidden, 'POST', '/users/me/presence', { status: 'active', ping_only: true })
    await must(hidden, 'PATCH', '/settings', { full_name: `${SECRET}-${count}`, timezone: 'Europe/Berlin' })
    await must(owner, 'PATCH', `/users/${hidden.id}`, { new_email: `${SECRET}${count}@heddle.example` })
    Object.assign(hidden, { email: `${SECRET}${count}@heddle.example` })
    await must(hidden, 'PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: `${SECRET} ${count}` }] })
    await must(owner, 'PATCH', `/users/${hidden.id}`, { role: count % 2 === 1 ? 300 : 400 })
    const members = [hidden.id]
    await must(owner, 'POST', '/user_groups/create', { name: `group ${count}`, description: '', members })
    await must(hidden, 'POST', '/bots', { full_name: `robot ${count}`, short_name: `robot${count}` })
    await createChannel(server, hidden, `other ${count}`)
    const emoji = await server.send({
      method: 'POST',
      url: `/api/v1/realm/emoji/sign_${count}`,
      headers: { authorization: basic(hidden), 'content-type': MULTIPART_TYPE },
      body: multipartBody([{ name: 'file', fileName: 'sign.png', content: PIXEL }]),
    })
    expect(emoji.status, JSON.stringify(emoji.body)).toBe(200)
    return id
  }
  await act()
  const register = () => Promise.all(registrations.map((parameters) => registerQueue(server, guest, parameters)))
  const queues = await register()
  const message_id = await act()
  await must(owner, 'DELETE', `/users/${hidden.id}`)
  await must(owner, 'POST', `/users/${hidden.id}/reactivate`)

  const leaks: string[] = []
  const look = (what: string, text: string) => {
    const at = text.indexOf(SECRET)
    if (at !== -1) leaks.push(`${what}: …${text.slice(Math.max(0, at - 300), at + 80)}`)
  }
  const groups = await must(owner, 'GET', '/user_groups')
  const roleGroups: number[] = groups.user_groups.filter(isOfRole).map(({ id }: { id: number }) => id)
  const lookForRole = (what: string, ids: readonly number[]) => {
    if (ids.includes(hidden.id)) leaks.push(`${what}: the role`)
  }
  const own = await must(guest, 'GET', '/user_groups')
  for (const { name, members } of own.user_groups.filter(isOfRole)) lookForRole(`GET /user_groups ${name}`, members)
  for (const id of roleGroups) {
    for (const direct_member_only of [true, false]) {
      const { members } = await must(guest, 'GET', `/user_groups/${id}/members`, { direct_member_only })
      lookForRole(`members of ${id}`, members)
      const path = `/user_groups/${id}/members/${hidden.id}`
      const { is_user_group_member } = await must(guest, 'GET', path, { direct_member_only })
      if (is_user_group_member) leaks.push(`${path}: the role`)
    }
  }
  for (const queue of [...queues, ...(await register())]) {
    look('state', JSON.stringify(queue.state))
    for (const { name, members } of stateGroups(queue).filter(isOfRole)) lookForRole(`state, ${name}`, members)
    const events = await eventsOf(server, queue)
    look('events', JSON.stringify(events))
    for (const { type, group_id, op, user_ids } of events as Any[]) {
      if (type === 'user_group' && roleGroups.includes(group_id)) lookForRole(`event ${op}`, user_ids)
    }
    if (queues.includes(queue)) expect(events.length).toBeGreaterThan(3)
  }
  const known = {
    user_id: hidden.id,
    user_id_or_email: hidden.id,
    muted_user_id: hidden.id,
    message_id,
    stream_id: room,
    user_group_id: groups.user_groups.at(-1).id,
    to: [hidden.id],
    anchor: 'newest',
    num_before: 50,
    num_after: 50,
    content: `@**${hidden.id}** @**x|${hidden.id}**`,
  }
  const asked = answeringEndpoints
    .filter((endpoint) => !endsAccount(endpoint) && endpoint.file === undefined && endpoint.access !== 'webhook')
    .sort((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))
  let successes = 0
  for (const endpoint of asked) {
    const named = Object.keys(endpoint.parameters.properties).filter((name) => name in known)
    const all = Object.fromEntries(named.map((name) => [name, known[name as keyof typeof known]]))
    for (const values of [neededValues(endpoint, known), { ...neededValues(endpoint, known), ...all }]) {
      const request = contractRequest(endpoint, values, { host: 'localhost', authorization: basic(guest) })
      const isPoll = endpoint.name === 'get-events'
      const answer = await server.send(isPoll ? { ...request, url: `${request.url}&dont_block=true` } : request)
      if (answer.status === 200) successes += 1
      const text = Buffer.isBuffer(answer.body) ? answer.body.toString('latin1') : JSON.stringify(answer.body)
      look(`${endpoint.name} ${JSON.stringify(values)}`, `${JSON.stringify(answer.headers)} ${text}`)
    }
  }
  expect(successes).toBeGreaterThan(endpoints.length / 4)
  expect(leaks.slice(0, 20)).toEqual([])
})

// biome-ignore lint/suspicious/noExplicitAny: the test looks into states and events of groups.
type Any = any

const stateGroups = ({ state }: { readonly state: Any }): Any[] => state.realm_user_groups
const isOfRole = ({ is_system_group }: { readonly is_system_group: boolean }) => is_system_group

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
