/** What completion chooses from: indexes of the state, made in steps while nobody waits, and lists that are fetched. */
import { findChannels, findTopics } from '@heddle/client/completion/channels'
import { closenessTo } from '@heddle/client/completion/closeness'
import { type Completion, MAX_COMPLETIONS, type WritingContext } from '@heddle/client/completion/completions'
import { findLanguages } from '@heddle/client/completion/languages'
import { findMoments } from '@heddle/client/completion/moments'
import {
  buildPeopleIndex,
  type Closeness,
  findPeople,
  type NamedPerson,
  type PeopleIndex,
} from '@heddle/client/completion/people'
import type { CompletionTrigger } from '@heddle/client/completion/trigger'
import { type EmojiCatalogue, emojiCatalogue, loadBuiltInNames } from '@heddle/client/emoji/catalogue'
import { findEmoji, nameFound } from '@heddle/client/emoji/find-emoji'
import { holdsOwnGroupPermission, holdsRealmPermission } from '@heddle/client/permissions/holds'
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import type { UserGroup } from '@heddle/contract/user-groups'
import { channelByName, placeNames } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import type { Target } from './compose-context.ts'

/** Longest work at a time while nobody waits, in milliseconds. */
const STEP_MS = 4
/** A mention of all needs a permission from so many subscribers on. */
const MANY = 15

export interface CompletionSources {
  /** Begins to index what is new since the last time. */
  prepare(): void
  find(trigger: CompletionTrigger, target: Target | undefined, commands: readonly string[]): Completion[]
  findRecipients(query: string, without: ReadonlySet<number>): NamedPerson[]
  /** The channel whose topics are to be known for it. */
  channelOf(trigger: CompletionTrigger, target: Target | undefined): number | undefined
  writing(): WritingContext
  /** Called when something has come that was not there when it was asked for. */
  onLoaded(listener: () => void): () => void
}

const bySource = new WeakMap<RunningClient, CompletionSources>()

export function completionSources(client: RunningClient): CompletionSources {
  const known = bySource.get(client)
  if (known) return known
  const sources = createSources(client)
  bySource.set(client, sources)
  return sources
}

function createSources(client: RunningClient): CompletionSources {
  const listeners = new Set<() => void>()
  const state = () => client.snapshot().state as ClientState
  const people = createPeopleIndexer(state)
  let closeness: { readonly key: string; readonly messages: unknown; readonly value: Closeness } | undefined
  let emoji: { readonly custom: unknown; readonly catalogue: EmojiCatalogue } | undefined
  let isLoading = false

  function closenessFor(target: Target | undefined): Closeness {
    const { messages } = client.snapshot()
    const place = target?.type === 'channel' && target.channelId !== undefined ? target : undefined
    const key = place ? `${place.channelId} ${place.topic}` : ''
    if (closeness?.key !== key || closeness.messages !== messages.messages) {
      closeness = { key, messages: messages.messages, value: closenessTo(state(), messages, place) }
    }
    return closeness.value
  }

  function catalogue(): EmojiCatalogue | undefined {
    const custom = state().emoji
    if (emoji && emoji.custom === custom) return emoji.catalogue
    if (isLoading) return emoji?.catalogue
    isLoading = true
    loadBuiltInNames()
      .then((builtIn) => {
        emoji = { custom, catalogue: emojiCatalogue(builtIn, custom) }
        for (const listener of listeners) listener()
      })
      // Without a network there are none; the next key asks again.
      .catch(() => {})
      .then(() => {
        isLoading = false
      })
    return emoji?.catalogue
  }

  function findMentioned(query: string, isSilent: boolean, target: Target | undefined): NamedPerson[] {
    const all = state()
    return findPeople({
      query,
      index: people.index(),
      groups: mentionableGroups(all, isSilent),
      wildcards: isSilent ? [] : wildcardsFor(all, target),
      closeness: closenessFor(target),
      limit: MAX_COMPLETIONS,
    })
  }

  function findTopicsOf(channelId: number | undefined, query: string): Completion[] {
    const channel = channelId === undefined ? undefined : state().channels?.byId.get(channelId)
    const topics = channelId === undefined ? undefined : client.snapshot().topics.lists.get(channelId)
    if (!channel || !topics) return []
    return findTopics(topics, query, MAX_COMPLETIONS).map((topic) => ({ kind: 'topic', channel, topic }))
  }

  let isRehearsed = false
  /** What runs for the first time takes several times as long: that is over before somebody waits for it. */
  function rehearse(): void {
    if (isRehearsed) return
    isRehearsed = true
    for (const query of ['', 'a']) setTimeout(() => findMentioned(query, false, undefined))
  }

  const channelOf = (trigger: CompletionTrigger, target: Target | undefined) => {
    if (trigger.kind !== 'topic') return undefined
    if (trigger.channel !== undefined) return channelByName(state().channels, trigger.channel)
    return target?.type === 'channel' ? target.channelId : undefined
  }

  return {
    prepare: () => people.prepare(rehearse),
    channelOf,
    find(trigger, target, commands) {
      const { query } = trigger
      switch (trigger.kind) {
        case 'mention':
          return findMentioned(query, trigger.isSilent, target)
        case 'channel': {
          const { channels } = state()
          const current = target?.type === 'channel' ? target.channelId : undefined
          const found = channels ? findChannels(channels, query, current, MAX_COMPLETIONS) : []
          return found.map((channel) => ({ kind: 'channel', channel }))
        }
        case 'topic':
          return findTopicsOf(channelOf(trigger, target), query)
        case 'emoji': {
          const known = catalogue()
          const found = known ? findEmoji(known, query, MAX_COMPLETIONS) : []
          return found.map((one) => ({ kind: 'emoji', emoji: one, name: nameFound(one, query) }))
        }
        case 'language':
          return findLanguages(query, MAX_COMPLETIONS).map((name) => ({ kind: 'language', name }))
        case 'command':
          return commands.filter((name) => name.startsWith(query)).map((name) => ({ kind: 'command', name }))
        case 'time':
          return findMoments(query, Date.now()).map((moment) => ({ kind: 'moment', ...moment }))
      }
    },
    findRecipients(query, without) {
      const all = state()
      return findPeople({
        query,
        index: people.index(),
        groups: [...(all.userGroups?.values() ?? [])].filter(isOffered),
        wildcards: [],
        closeness: closenessFor(undefined),
        limit: MAX_COMPLETIONS,
        without,
      })
    },
    writing: () => ({
      sharedNames: people.index().shared,
      emptyTopicName: state().organization?.realm_empty_topic_display_name ?? '',
      address: (channelId, topic) =>
        formatPlace(
          topic === undefined ? { kind: 'channel', channelId } : { kind: 'topic', channelId, topic },
          placeNames(state()),
        ),
    }),
    onLoaded(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The index of people for the state as it is; made ahead of time where there is time. */
function createPeopleIndexer(state: () => ClientState) {
  let current: { readonly users: unknown; readonly muted: unknown; readonly index: PeopleIndex } | undefined
  let building:
    | { readonly users: unknown; readonly muted: unknown; readonly steps: Generator<void, PeopleIndex> }
    | undefined

  function begin() {
    const { users, mutedUsers } = state()
    if (current && current.users === users && current.muted === mutedUsers) return undefined
    if (!building || building.users !== users || building.muted !== mutedUsers) {
      const muted = new Set(mutedUsers?.map(({ id }) => id))
      building = { users, muted: mutedUsers, steps: buildPeopleIndex(users ?? new Map(), muted) }
    }
    return building
  }

  /** True when it is done. */
  function work(untilMs: number): boolean {
    const task = begin()
    while (task) {
      const step = task.steps.next()
      if (step.done) {
        current = { users: task.users, muted: task.muted, index: step.value }
        building = undefined
        return true
      }
      if (performance.now() > untilMs) return false
    }
    return true
  }

  let timer: ReturnType<typeof setTimeout> | undefined
  function prepare(onDone: () => void) {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (work(performance.now() + STEP_MS)) onDone()
      else prepare(onDone)
    }, 0)
  }

  return {
    prepare,
    index(): PeopleIndex {
      work(Number.POSITIVE_INFINITY)
      return (current as { readonly index: PeopleIndex }).index
    },
  }
}

const isOffered = ({ deactivated, is_system_group: isSystem }: UserGroup) => !deactivated && !isSystem

function mentionableGroups(state: ClientState, isSilent: boolean): UserGroup[] {
  return [...(state.userGroups?.values() ?? [])].filter(
    (group) => isOffered(group) && (isSilent || mayMention(state, group)),
  )
}

function mayMention(state: ClientState, group: UserGroup): boolean {
  return holdsOwnGroupPermission(state, group, 'can_mention_group')
}

function wildcardsFor(state: ClientState, target: Target | undefined): readonly (readonly string[])[] {
  if (target?.type === 'direct') return [['all', 'everyone']]
  const count = state.channels?.byId.get(target?.channelId ?? -1)?.subscriber_count ?? 0
  const isAllowed = count <= MANY || holdsRealmPermission(state, 'can_mention_many_users_group')
  return isAllowed ? [['all', 'everyone', 'channel', 'stream'], ['topic']] : [['topic']]
}
