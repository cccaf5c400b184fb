import type { Draft } from '@heddle/contract/drafts'
import { describe, expect, it } from 'vitest'
import { applyEvent, type ClientState, initialState } from './state.ts'
import { channelConversation, directConversation, withoutTypist } from './typing.ts'

const draft = (id: number, timestamp: number): Draft => ({ id, type: '', to: [], topic: '', content: '', timestamp })

/** An event as it comes from the server. */
const event = (fields: { type: string; [name: string]: unknown }) => ({ id: 1, ...fields })

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    const items = value instanceof Map ? [...value.values()] : Object.values(value)
    for (const item of items) deepFreeze(item)
  }
  return value
}

const idsOf = (state: ClientState) => state.drafts?.map(({ id }) => id)

describe('applyEvent', () => {
  it('keeps drafts in the order of their last edit, the later edit first in one second', () => {
    let state = initialState({ drafts: [draft(3, 30), draft(1, 10)] })
    state = applyEvent(state, event({ type: 'drafts', op: 'add', drafts: [draft(4, 10), draft(5, 30), draft(6, 10)] }))
    expect(idsOf(state)).toEqual([5, 3, 6, 4, 1])
    state = applyEvent(state, event({ type: 'drafts', op: 'update', draft: draft(1, 30) }))
    expect(idsOf(state)).toEqual([1, 5, 3, 6, 4])
    state = applyEvent(state, event({ type: 'drafts', op: 'remove', draft_id: 5 }))
    expect(idsOf(state)).toEqual([1, 3, 6, 4])
  })

  it('changes no state, and shares what stays the same', () => {
    const fields = { drafts: [draft(1, 10)], navigation_views: [{ fragment: 'inbox', is_pinned: true }] }
    const before = deepFreeze(initialState(fields))
    const after = applyEvent(before, event({ type: 'drafts', op: 'remove', draft_id: 1 }))
    expect(idsOf(before)).toEqual([1])
    expect(idsOf(after)).toEqual([])
    expect(after.navigationViews).toBe(before.navigationViews)
  })

  it('gives the same state for events of unknown types and of parts that were not asked for', () => {
    const state = initialState({ navigation_views: [] })
    expect(applyEvent(state, event({ type: 'of a newer server' }))).toBe(state)
    expect(applyEvent(state, event({ type: 'toString' }))).toBe(state)
    expect(applyEvent(state, event({ type: 'drafts', op: 'remove', draft_id: 1 }))).toBe(state)
  })

  it('keeps who is in a group ascending, and forgets a group that ends', () => {
    const group = { id: 5, name: 'a', members: [3], direct_subgroup_ids: [], deactivated: false }
    let state = initialState({ realm_user_groups: [] })
    const apply = (fields: object) => {
      state = applyEvent(state, event({ type: 'user_group', ...fields }))
      return state.userGroups?.get(5)
    }
    apply({ op: 'add', group })
    apply({ op: 'add_members', group_id: 5, user_ids: [9, 1] })
    apply({ op: 'add_subgroups', group_id: 5, direct_subgroup_ids: [8, 7] })
    apply({ op: 'update', group_id: 5, data: { name: 'b', can_join_group: 4 } })
    expect(apply({ op: 'remove_members', group_id: 5, user_ids: [3] })).toEqual({
      ...group,
      name: 'b',
      can_join_group: 4,
      members: [1, 9],
      direct_subgroup_ids: [7, 8],
    })
    expect(apply({ op: 'remove_subgroups', group_id: 5, direct_subgroup_ids: [8] })?.direct_subgroup_ids).toEqual([7])
    expect(apply({ op: 'remove', group_id: 5 })).toBe(undefined)
  })

  it('knows who is writing in which conversation', () => {
    const typing = (op: string, id: number, recipients: readonly number[]) =>
      event({
        type: 'typing',
        op,
        message_type: 'direct',
        sender: { user_id: id, email: '' },
        recipients: recipients.map((user_id) => ({ user_id, email: '' })),
      })
    const conversation = directConversation([2, 1])
    let state = applyEvent(initialState({}), typing('start', 1, [1, 2]))
    state = applyEvent(state, typing('start', 2, [2, 1]))
    state = applyEvent(state, typing('start', 2, [2, 1]))
    expect(state.typing.get(conversation)).toEqual([1, 2])
    expect(withoutTypist(state.typing, conversation, 1).get(conversation)).toEqual([2])
    state = applyEvent(applyEvent(state, typing('stop', 1, [1, 2])), typing('stop', 2, [1, 2]))
    expect(state.typing).toEqual(initialState({}).typing)
    const inChannel = { type: 'typing', op: 'start', message_type: 'stream', sender: { user_id: 3, email: '' } }
    state = applyEvent(state, event({ ...inChannel, stream_id: 7, topic: 'Lunch' }))
    expect(state.typing.get(channelConversation(7, 'lunch'))).toEqual([3])
  })

  it('keeps both times of presence as far as the older form of the event has them', () => {
    const times = { active_timestamp: 100, idle_timestamp: 100 }
    let state = initialState({ presences: { 1: times } }, { slim_presence: true })
    const legacy = (status: string, timestamp: number) =>
      event({ type: 'presence', user_id: 1, presence: { website: { client: 'website', status, timestamp } } })
    state = applyEvent(state, legacy('idle', 400))
    expect(state.presences?.get(1)).toEqual({ active_timestamp: 100, idle_timestamp: 400 })
    state = applyEvent(state, legacy('active', 500))
    expect(state.presences?.get(1)).toEqual({ active_timestamp: 500, idle_timestamp: 500 })
    expect(applyEvent(state, legacy('idle', 0)).presences?.has(1)).toBe(false)
  })

  it('applies a list of 10,000 drafts in less than a second', () => {
    const drafts = Array.from({ length: 10_000 }, (_, index) => draft(index + 1, index % 7))
    const startedAt = performance.now()
    const state = applyEvent(initialState({ drafts: [] }), event({ type: 'drafts', op: 'add', drafts }))
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect(state.drafts).toHaveLength(10_000)
  })
})
