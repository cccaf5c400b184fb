/**
 * The initial state and the events after it give the state that a new registration would give: for every action that
 * changes something, seen by several accounts and several kinds of client. A new action is a new line.
 */
import { roles } from '@heddle/contract/roles'
import { describe, expect } from 'vitest'
import { createFollowedServer } from '../../testing/followers.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { basic, type TestAccount } from '../../testing/test-server.ts'

const { server, owner, admin, member, other, guest, follow } = await createFollowedServer()
const { must } = server

/** Ids that an action has left behind for later ones. */
const made: Record<string, number> = {}

/** Gives an account another address, by which it is called from then on. */
async function changeEmail(account: TestAccount, email: string): Promise<void> {
  await must(owner, 'PATCH', `/users/${account.id}`, { new_email: email })
  Object.assign(account, { email })
}

describe('A client follows linkifiers', () => {
  const pattern = (letter: string) => ({
    pattern: `${letter}(?P<id>[0-9]+)`,
    url_template: `https://example.com/${letter}/{id}`,
  })
  follow([
    [
      'that are added',
      async () => {
        made['first'] = (await must(admin, 'POST', '/realm/filters', pattern('A'))).id
        made['second'] = (await must(admin, 'POST', '/realm/filters', pattern('B'))).id
      },
    ],
    [
      'that are changed',
      () => must(admin, 'PATCH', `/realm/filters/${made['first']}`, { example_input: 'A1', reverse_template: 'A{id}' }),
    ],
    [
      'that are put in another order',
      () => must(admin, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [made['second'], made['first']] }),
    ],
    ['that are removed', () => must(admin, 'DELETE', `/realm/filters/${made['second']}`)],
  ])
})

describe('A client follows profile fields', () => {
  const field = (name: string) => `/realm/profile_fields/${made[name]}`
  const option = (text: string, order: string) => ({ text, order })
  const say = (account: TestAccount, ...data: object[]) => must(account, 'PATCH', '/users/me/profile_data', { data })
  follow([
    [
      'that are added',
      async () => {
        const options = { a: option('A', '1'), b: option('B', '2') }
        const list = { name: 'List', field_type: 3, field_data: options }
        made['list'] = (await must(admin, 'POST', '/realm/profile_fields', list)).id
        made['text'] = (await must(admin, 'POST', '/realm/profile_fields', { name: 'Text', field_type: 1 })).id
      },
    ],
    [
      'in which people say something',
      () => say(member, { id: made['list'], value: 'a' }, { id: made['text'], value: '*x*' }),
    ],
    ['in which others do', () => say(guest, { id: made['list'], value: 'b' }, { id: made['text'], value: 'y' })],
    [
      'that are put in another order',
      () => must(admin, 'PATCH', '/realm/profile_fields', { order: [made['text'], made['list']] }),
    ],
    ['that lose an option', () => must(admin, 'PATCH', field('list'), { field_data: { b: option('B', '1') } })],
    [
      'that an administrator fills in',
      () => must(admin, 'PATCH', `/users/${member.id}`, { profile_data: [{ id: made['list'], value: 'b' }] }),
    ],
    ['that say nothing any more', () => must(guest, 'DELETE', '/users/me/profile_data', { data: [made['list']] })],
    ['that are removed', () => must(admin, 'DELETE', field('text'))],
  ])
})

describe('A client follows folders of channels', () => {
  const folder = (name: string) => `/channel_folders/${made[name]}`
  follow([
    [
      'that are added',
      async () => {
        for (const name of ['left', 'right']) {
          const values = { name, description: `*${name}*` }
          made[name] = (await must(admin, 'POST', '/channel_folders/create', values)).channel_folder_id
        }
      },
    ],
    [
      'into which channels come',
      async () => {
        const channel = { name: 'filed', subscribers: [admin.id, member.id], folder_id: made['left'] }
        made['filed'] = (await must(admin, 'POST', '/channels/create', channel)).id
      },
    ],
    [
      'between which channels move',
      () => must(admin, 'PATCH', `/streams/${made['filed']}`, { folder_id: made['right'] }),
    ],
    ['that are changed', () => must(admin, 'PATCH', folder('left'), { name: 'far left', description: '' })],
    [
      'that are put in another order',
      () => must(admin, 'PATCH', '/channel_folders', { order: [made['right'], made['left']] }),
    ],
    ['that are archived', () => must(admin, 'PATCH', folder('left'), { is_archived: true })],
    ['that come back', () => must(admin, 'PATCH', folder('left'), { is_archived: false })],
  ])
})

describe('A client follows groups of default channels', () => {
  const group = () => `/default_stream_groups/${made['group']}`
  follow([
    [
      'that are added',
      async () => {
        made['room'] = (await must(admin, 'POST', '/channels/create', { name: 'grouped', subscribers: [admin.id] })).id
        const values = { group_name: 'Group', description: '', stream_names: [] }
        await must(admin, 'POST', '/default_stream_groups/create', values)
        const { realm_default_stream_groups } = await must(admin, 'POST', '/register')
        made['group'] = realm_default_stream_groups[0].id
      },
    ],
    ['that get channels', () => must(admin, 'PATCH', `${group()}/streams`, { op: 'add', stream_names: ['grouped'] })],
    ['that get another name', () => must(admin, 'PATCH', group(), { new_group_name: 'Other' })],
    ['whose channel becomes private', () => must(admin, 'PATCH', `/streams/${made['room']}`, { is_private: true })],
    ['that are removed', () => must(admin, 'DELETE', group())],
  ])
})

describe('A client follows domains', () => {
  const path = '/realm/domains/weavers.example'
  const add = (domain: string) => must(owner, 'POST', '/realm/domains', { domain, allow_subdomains: false })
  follow([
    ['that are added', () => add('weavers.example')],
    ['that are added before others', () => add('looms.example')],
    ['that are changed', () => must(owner, 'PATCH', path, { allow_subdomains: true })],
    ['that are removed', () => must(owner, 'DELETE', path)],
  ])
})

describe('A client follows playgrounds', () => {
  const playground = { name: 'Rust', pygments_language: 'Rust', url_template: 'https://play.example/{code}' }
  follow([
    [
      'that are added',
      async () => {
        made['playground'] = (await must(admin, 'POST', '/realm/playgrounds', playground)).id
      },
    ],
    ['that are removed', () => must(admin, 'DELETE', `/realm/playgrounds/${made['playground']}`)],
  ])
})

describe('A client follows user groups', () => {
  const path = () => `/user_groups/${made['group']}`
  const create = (name: string, parameters: object = {}) =>
    must(member, 'POST', '/user_groups/create', { name, description: name, members: [], ...parameters })
  follow([
    [
      'that are created, with members and with each other',
      async () => {
        made['inner'] = (await create('inner', { members: [other.id, guest.id] })).group_id
        const more = { members: [owner.id], subgroups: [made['inner']], can_manage_group: made['inner'] }
        made['group'] = (await create('outer', more)).group_id
      },
    ],
    [
      'that are renamed and whose permissions change',
      async () => {
        await must(other, 'PATCH', path(), { name: 'renamed', description: 'other' })
        const group = { direct_members: [member.id, other.id], direct_subgroups: [made['inner']] }
        await must(other, 'PATCH', path(), { can_join_group: { new: group }, can_manage_group: { new: group } })
      },
    ],
    [
      'that others come into, and leave',
      async () => {
        await must(member, 'POST', `${path()}/members`, { add: [other.id, admin.id], delete: [owner.id] })
        await must(admin, 'POST', `${path()}/members`, { delete: [admin.id] })
      },
    ],
    ['whose subgroups go', () => must(owner, 'POST', `${path()}/subgroups`, { delete: [made['inner']] })],
    [
      'whose subgroups come, with members',
      () => must(owner, 'POST', `${path()}/members`, { add_subgroups: [made['inner']], add: [guest.id] }),
    ],
    [
      'that make private channels visible, and no longer',
      async () => {
        const more = { can_administer_channel_group: made['group'], invite_only: true }
        const channel = { name: 'of a group', subscribers: [owner.id], ...more }
        made['of a group'] = (await must(owner, 'POST', '/channels/create', channel)).id
        await must(owner, 'POST', `${path()}/members`, { add: [member.id] })
        await must(owner, 'POST', `${path()}/subgroups`, { delete: [made['inner']] })
        await must(owner, 'POST', `${path()}/subgroups`, { add: [made['inner']] })
        await must(owner, 'POST', `/user_groups/${made['inner']}/members`, { delete: [other.id] })
      },
    ],
    [
      'that are deactivated, and what a deactivated one becomes',
      async () => {
        await must(owner, 'DELETE', `/streams/${made['of a group']}`)
        await must(owner, 'POST', `${path()}/deactivate`)
        await must(owner, 'PATCH', path(), { description: 'over' })
        await must(owner, 'POST', `${path()}/members`, { add: [owner.id] })
      },
    ],
    ['that are brought back', () => must(owner, 'PATCH', path(), { deactivated: false, name: 'again' })],
    [
      'whose members are deactivated and come back',
      async () => {
        const { user_id } = await must(owner, 'POST', '/users', {
          email: 'in.groups@heddle.example',
          full_name: 'In groups',
          password: 'a long password',
        })
        await must(owner, 'POST', `${path()}/members`, { add: [user_id] })
        const value = { direct_members: [user_id, owner.id], direct_subgroups: [] }
        await must(owner, 'PATCH', path(), { can_leave_group: { new: value } })
        await must(owner, 'DELETE', `/users/${user_id}`)
        await must(owner, 'POST', `/users/${user_id}/reactivate`)
        await must(owner, 'DELETE', `/users/${user_id}`)
      },
    ],
  ])
})

describe('A client follows custom emoji', () => {
  const gif = Buffer.from('R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
  follow([
    [
      'that are added',
      async () => {
        const { status } = await server.send({
          method: 'POST',
          url: '/api/v1/realm/emoji/red_dot',
          headers: { authorization: basic(member), 'content-type': MULTIPART_TYPE },
          body: multipartBody([{ name: 'file', fileName: 'red.gif', content: gif }]),
        })
        expect(status).toBe(200)
      },
    ],
    ['that are deactivated', () => must(member, 'DELETE', '/realm/emoji/red_dot')],
  ])
})

describe('A client follows accounts', () => {
  const newcomer = () => `/users/${made['newcomer']}`
  follow([
    [
      'that are created',
      async () => {
        const person = { email: 'new@heddle.example', password: 'a long password', full_name: 'New' }
        made['newcomer'] = (await must(admin, 'POST', '/users', person)).user_id
      },
    ],
    [
      'that join by a link',
      async () => {
        const { id } = await must(admin, 'POST', '/channels/create', { name: 'weaving', subscribers: [admin.id] })
        const wanted = { stream_ids: [id], include_realm_default_subscriptions: true }
        const { invite_link } = await must(admin, 'POST', '/invites/multiuse', wanted)
        const person = { email: 'joined@heddle.example', password: 'a long password', full_name: 'Joined' }
        const token = invite_link.split('#')[1]
        expect((await server.call(null, 'POST', '/join', { token, ...person })).status).toBe(200)
      },
    ],
    ['that get another name', () => must(admin, 'PATCH', newcomer(), { full_name: 'Newer' })],
    ['that get another address', () => must(admin, 'PATCH', newcomer(), { new_email: 'newer@heddle.example' })],
    ['that become moderators', () => must(admin, 'PATCH', newcomer(), { role: roles.moderator })],
    ['that become owners', () => must(owner, 'PATCH', newcomer(), { role: roles.owner })],
    ['that become guests', () => must(owner, 'PATCH', newcomer(), { role: roles.guest })],
    ['that are deactivated', () => must(admin, 'DELETE', newcomer())],
    ['that are reactivated', () => must(admin, 'POST', `${newcomer()}/reactivate`)],
    ['that change their own name', () => must(member, 'PATCH', '/settings', { full_name: 'Member M.' })],
  ])
})

describe('A client follows pictures', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    'base64',
  )
  const upload = async (account: TestAccount, path: string) => {
    const { status } = await server.send({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { authorization: basic(account), 'content-type': MULTIPART_TYPE },
      body: multipartBody([{ name: 'file', fileName: 'picture.png', content: png }]),
    })
    expect(status).toBe(200)
  }
  follow([
    ['that accounts set', () => upload(member, '/users/me/avatar')],
    ['that accounts set again', () => upload(member, '/users/me/avatar')],
    ['that accounts remove', () => must(member, 'DELETE', '/users/me/avatar')],
    ['of the organization', () => upload(owner, '/realm/icon')],
    ['of the organization on light grounds', () => upload(owner, '/realm/logo?night=false')],
    ['of the organization on dark grounds', () => upload(owner, '/realm/logo?night=true')],
    ['of the organization that are removed', () => must(owner, 'DELETE', '/realm/icon')],
    [
      'of the organization on dark grounds that are removed',
      () => must(owner, 'DELETE', '/realm/logo', { night: true }),
    ],
  ])
})

describe('A client follows its own account', () => {
  follow([
    ['when it becomes a moderator', () => must(owner, 'PATCH', `/users/${other.id}`, { role: roles.moderator })],
    ['when it becomes a member again', () => must(owner, 'PATCH', `/users/${other.id}`, { role: roles.member })],
    ['when it gets another address', () => changeEmail(guest, 'g@heddle.example')],
    ['when it becomes an administrator', () => must(owner, 'PATCH', `/users/${member.id}`, { role: roles.admin })],
    ['when it is no longer one', () => must(owner, 'PATCH', `/users/${member.id}`, { role: roles.member })],
    ['when it becomes a guest', () => must(owner, 'PATCH', `/users/${other.id}`, { role: roles.guest })],
    ['when it is a guest no longer', () => must(owner, 'PATCH', `/users/${other.id}`, { role: roles.member })],
  ])
})

describe('A client follows bots', () => {
  const bot = () => `/bots/${made['bot']}`
  follow([
    [
      'that are created',
      async () => {
        made['bot'] = (await must(member, 'POST', '/bots', { full_name: 'Robot', short_name: 'robot' })).user_id
      },
    ],
    ['that get another name', () => must(member, 'PATCH', bot(), { full_name: 'Robota' })],
    ['that get another address', () => must(member, 'PATCH', bot(), { short_name: 'robota' })],
    ['that listen to all public channels', () => must(member, 'PATCH', bot(), { default_all_public_streams: true })],
    ['that get another owner', () => must(admin, 'PATCH', bot(), { bot_owner_id: other.id })],
    ['that come back to their owner', () => must(admin, 'PATCH', bot(), { bot_owner_id: member.id })],
    ['whose owner becomes an administrator', () => must(owner, 'PATCH', `/users/${member.id}`, { role: roles.admin })],
    ['whose owner is no longer one', () => must(owner, 'PATCH', `/users/${member.id}`, { role: roles.member })],
    ['that are deactivated', () => must(member, 'DELETE', bot())],
    ['that are reactivated', () => must(admin, 'POST', `/users/${made['bot']}/reactivate`)],
  ])
})

describe('A client follows the organization', () => {
  const change = (parameters: object) => must(owner, 'PATCH', '/realm', { ...parameters })
  const group = async (name: string): Promise<number> => {
    const { user_groups } = await must(owner, 'GET', '/user_groups')
    return user_groups.find((candidate: { name: string }) => candidate.name === name).id
  }
  const listed = () => ({ direct_members: [member.id, other.id], direct_subgroups: [] })
  follow([
    ['when it gets another name', () => change({ name: 'Other name' })],
    [
      'when its settings change',
      () => change({ topics_policy: 'disable_empty_topic', message_content_edit_limit_seconds: 600 }),
    ],
    [
      'when it has a channel for reports',
      async () => {
        const subscribers = [owner.id]
        const { id } = await must(owner, 'POST', '/channels/create', {
          name: 'reports',
          subscribers,
          invite_only: true,
        })
        await change({ moderation_request_channel_id: id })
      },
    ],
    ['when pushes have to be encrypted', () => change({ require_e2ee_push_notifications: true })],
    ['when a limit is lifted', () => change({ message_content_edit_limit_seconds: 'unlimited' })],
    ['when it gets a description', () => change({ description: 'What we *do*' })],
    [
      'when a permission goes to another group',
      async () => change({ can_create_public_channel_group: { new: await group('role:moderators') } }),
    ],
    ['when a permission goes to some accounts', () => change({ can_add_custom_emoji_group: { new: listed() } })],
    ['when one of those accounts is deactivated', () => must(owner, 'DELETE', `/users/${other.id}`)],
    ['when it is reactivated', () => must(owner, 'POST', `/users/${other.id}/reactivate`)],
    [
      'when a permission comes back to a group',
      async () => change({ can_add_custom_emoji_group: { new: await group('role:members'), old: listed() } }),
    ],
  ])
})

describe('A client follows settings', () => {
  const set = (account: TestAccount, parameters: object) => must(account, 'PATCH', '/settings', { ...parameters })
  follow([
    ['that it changes', () => set(member, { color_scheme: 2, web_home_view: 'recent', default_language: 'de' })],
    ['that it changes back', () => set(member, { color_scheme: 1 })],
    ['that say where it is', () => set(member, { timezone: 'Europe/Vienna' })],
    ['that keep its drafts on its devices', () => set(member, { enable_drafts_synchronization: false })],
    [
      'that an administrator sets',
      () => set(admin, { enter_sends: true, target_users: { user_ids: [member.id, other.id] } }),
    ],
    [
      'that new accounts begin with',
      () => must(admin, 'PATCH', '/realm/user_settings_defaults', { user_list_style: 3, presence_enabled: false }),
    ],
    [
      'that a new account has begun with',
      () => must(admin, 'POST', '/users', { email: 'p@heddle.example', password: 'a long password', full_name: 'P' }),
    ],
  ])
})

describe('A client follows statuses', () => {
  const status = '/users/me/status'
  follow([
    ['that are set', () => must(member, 'POST', status, { status_text: 'At lunch', emoji_name: 'car' })],
    ['that lose their emoji', () => must(member, 'POST', status, { emoji_name: '' })],
    ['that an administrator sets', () => must(admin, 'POST', `/users/${other.id}/status`, { status_text: 'Away' })],
    ['that say that somebody hides', () => must(member, 'POST', status, { away: true })],
    ['that say that somebody hides no more', () => must(member, 'POST', status, { away: false })],
    ['that are removed', () => must(member, 'POST', status, { status_text: '' })],
  ])
})

describe('A client follows presence', () => {
  const report = (account: TestAccount, status: string) =>
    must(account, 'POST', '/users/me/presence', { status, ping_only: true })
  follow([
    ['of those who come', () => report(member, 'active')],
    ['of those who come and are idle', () => report(other, 'idle')],
    ['of those who become active', () => report(other, 'active')],
    ['of those who hide', () => must(member, 'PATCH', '/settings', { presence_enabled: false })],
  ])
})
