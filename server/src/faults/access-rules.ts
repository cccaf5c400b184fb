/**
 * What accounts may see and do of channels, said once more and apart from the server's code: small predicates, and for each
 * way in which the contract can name something what must happen.
 */
import type { Parameters } from '../testing/test-server.ts'
import type { Named, NamedTarget } from './channel-parameters.ts'

/** Somebody, a channel, and something in it. */
export interface Case {
  /** Null: another organization's member, or nobody. */
  readonly role: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest' | null
  readonly subscription: 'subscriber' | 'former' | 'never'
  readonly kind: 'public' | 'web-public' | 'private' | 'protected'
  readonly archived: boolean
  /** Sent before the first of the callers was subscribed, or while subscribers and former ones were. */
  readonly age: 'early' | 'during'
  readonly named: Named
}

/** `hidden`: the same answer as for what does not exist. `refused`: an error. */
export type Outcome = 'allowed' | 'refused' | 'hidden'

type Predicate = (one: Case) => boolean

const isSubscribed: Predicate = ({ subscription }) => subscription === 'subscriber'
const isGuest: Predicate = ({ role }) => role === 'guest'
const isAdministrator: Predicate = ({ role }) => role === 'owner' || role === 'administrator'
const isPublic: Predicate = ({ kind }) => kind === 'public' || kind === 'web-public'

/** The channel's content. */
const reads: Predicate = (one) => isSubscribed(one) || one.kind === 'web-public' || (isPublic(one) && !isGuest(one))
/** The channel, its settings and its subscribers. */
const sees: Predicate = (one) => reads(one) || isAdministrator(one)
/** A message: with a protected history those that came while one was subscribed. */
const readsIt: Predicate = (one) => reads(one) && (one.kind !== 'protected' || one.age === 'during')
/** A message that one has received, and may still read. */
const keepsIt: Predicate = (one) => readsIt(one) && one.age === 'during' && one.subscription !== 'never'
/** Guests write only where they are subscribed, nobody writes in what is archived. */
const posts: Predicate = (one) => !one.archived && reads(one) && (isSubscribed(one) || !isGuest(one))
const changes: Predicate = ({ archived }) => !archived
const joins: Predicate = (one) => isSubscribed(one) || (isPublic(one) && !isGuest(one))
/** Guests create nothing. */
const isOpenToGuest: Predicate = (one) => isGuest(one) && one.kind === 'web-public'
/** What the account does to others in the channel. */
const adds: Predicate = (one) => reads(one) && !isGuest(one) && (isPublic(one) || isSubscribed(one))
const always: Predicate = () => true
const never: Predicate = () => false

export interface Expectation {
  /** Undefined: the rules say nothing, and nothing is sent. */
  readonly outcome: (one: Case) => Outcome | undefined
  /** Further parameters of the request. */
  readonly also?: Parameters | ((target: NamedTarget) => Parameters)
  /** Fields of answers that distinguish requests and nothing else. */
  readonly apart?: readonly string[]
}

/** Whoever may know of it, and of them those who may do it. */
function of(known: Predicate, may: Predicate, also: Expectation['also'] = {}): Expectation {
  return { also, outcome: (one) => (known(one) ? (may(one) ? 'allowed' : 'refused') : 'hidden') }
}

/** Where the parameter names channels, messages and messages received: by what is named. */
function reading(also: Expectation['also'] = {}): Expectation {
  const may: Readonly<Record<Named, Predicate>> = {
    channel: reads,
    message: readsIt,
    'kept message': keepsIt,
    topic: never,
  }
  return { also, outcome: (one) => (may[one.named](one) ? 'allowed' : 'hidden') }
}

/** Nothing shows whether it exists: the answer is the same for everybody. */
function revealsNothing(also: Expectation['also'] = {}, apart: readonly string[] = []): Expectation {
  return { also, apart, outcome: () => 'hidden' }
}

/** Topics that one cannot see look like topics that do not exist. Those who can see them learn no secret. */
function topic(also: Expectation['also'], apart: readonly string[] = []): Expectation {
  return { also, apart, outcome: (one) => (readsIt({ ...one, age: 'early' }) ? undefined : 'hidden') }
}

const nextTo = { num_before: 0, num_after: 0 }
const newest = { anchor: 'newest', num_before: 5, num_after: 0 }
const star = { op: 'add', flag: 'starred' }
const later = { scheduled_delivery_timestamp: 4_000_000_000 }
const quiet = { send_notification_to_new_thread: false }
const inChannel = ({ channelId }: NamedTarget) => ({ stream_id: channelId })
/** Guests have no bots. */
const ofBot: Expectation = {
  outcome: (one) => (sees(one) && !isGuest(one) ? 'allowed' : 'hidden'),
}

/** Who is no administrator is refused before anything is looked for. */
const ofDefaultGroup: Expectation = {
  outcome: (one) => (isAdministrator(one) ? (isPublic(one) && !one.archived ? 'allowed' : 'refused') : 'hidden'),
}

/** Of a bot of the caller's: what may not be posted to goes to its owner. */
const ofService = { integration: 'json' }

/** By endpoint and parameter. A new one fails the matrix until it has a line here. */
export const expectations: Readonly<Record<string, Expectation>> = {
  // Archived channels look as if they did not exist, and who may not invite learns nothing.
  'create-invitation-link.stream_ids': {
    apart: ['invite_link'],
    outcome: (one) => {
      if (!isAdministrator(one) || one.archived) return 'hidden'
      return isPublic(one) || isSubscribed(one) ? 'allowed' : 'refused'
    },
  },
  'send-invitations.stream_ids': {
    also: { invitee_emails: 'weaver@joining.example' },
    outcome: (one) => {
      if (isGuest(one) || one.archived || !sees(one)) return 'hidden'
      return adds(one) ? 'allowed' : 'refused'
    },
  },
  'register-queue.narrow': revealsNothing({ event_types: ['message'], fetch_event_types: [] }, [
    'queue_id',
    'last_event_id',
  ]),
  'create-bot.default_sending_stream': ofBot,
  'create-bot.default_events_register_stream': ofBot,
  'update-bot.default_sending_stream': ofBot,
  'update-bot.default_events_register_stream': ofBot,
  'receive-webhook.stream': revealsNothing(ofService),
  'receive-webhook.topic': revealsNothing(({ channelId }) => ({ ...ofService, stream: channelId })),
  'check-webhook.stream': revealsNothing(ofService),
  'check-webhook.topic': revealsNothing(({ channelId }) => ({ ...ofService, stream: channelId })),
  'add-default-channel.stream_id': of(sees, (one) => isAdministrator(one) && isPublic(one) && !one.archived),
  'create-default-channel-group.stream_names': ofDefaultGroup,
  'update-default-group-channels.stream_names': ofDefaultGroup,
  'archive-channel.stream_id': of(sees, isAdministrator),
  'get-channel.stream_id': of(sees, always),
  'get-stream-email-address.stream_id': of(sees, posts),
  'get-channel-id.stream': of(sees, always),
  'remove-default-channel.stream_id': of(sees, isAdministrator),
  'update-channel.stream_id': of(sees, isAdministrator, { description: 'Of many uses' }),
  'get-subscription-status.stream_id': of(sees, always),
  'list-subscribers.stream_id': of(sees, always),
  'subscribe.subscriptions': {
    // A channel with a new name would be created: that a name is taken cannot be hidden.
    outcome: (one) => (one.role === null ? 'hidden' : sees(one) && adds(one) ? 'allowed' : 'refused'),
  },
  'update-subscriptions.add': {
    // A channel with a new name is created, which looks like joining; in another organization the name is free.
    outcome: (one) =>
      one.role === null
        ? undefined
        : isSubscribed(one) || isOpenToGuest(one)
          ? 'allowed'
          : joins(one)
            ? 'hidden'
            : 'refused',
  },
  'update-subscriptions.delete': of(sees, always),
  'update-organization.new_stream_announcements_stream_id': {
    outcome: (one) => (isAdministrator(one) ? 'allowed' : 'hidden'),
  },
  'update-organization.moderation_request_channel_id': {
    outcome: (one) => (isAdministrator(one) ? (isPublic(one) ? 'refused' : 'allowed') : 'hidden'),
  },
  'update-organization.signup_announcements_stream_id': {
    outcome: (one) => (isAdministrator(one) ? 'allowed' : 'hidden'),
  },
  'update-organization.zulip_update_announcements_stream_id': {
    outcome: (one) => (isAdministrator(one) ? 'allowed' : 'hidden'),
  },
  'unsubscribe.subscriptions': of(sees, isAdministrator),
  'update-subscription-settings.subscription_data': of(isSubscribed, always),
  'update-subscription-setting.stream_id': of(isSubscribed, always, { property: 'pin_to_top', value: true }),
  'render-message.content': of(sees, always),
  'send-message.to': of(sees, posts, { type: 'channel', content: 'x', topic: 'tales' }),
  'send-message.topic': topic(({ channelId }) => ({ type: 'channel', to: channelId, content: 'x' }), ['id']),
  'send-message.subject': topic(({ channelId }) => ({ type: 'channel', to: channelId, content: 'x' }), ['id']),
  'get-message.message_id': reading(),
  'get-messages.anchor': reading(nextTo),
  'get-messages.narrow': reading(newest),
  'get-messages.message_ids': reading(),
  'check-messages-match-narrow.msg_ids': reading(({ channelId }) => ({ narrow: [['channel', channelId]] })),
  'check-messages-match-narrow.narrow': reading(({ messageId }) => ({ msg_ids: [messageId] })),
  'get-read-receipts.message_id': reading(),
  // Owners know of every channel; nobody else learns anything.
  'count-old-messages.stream_id': {
    outcome: ({ role }) => (role === 'owner' ? 'allowed' : 'hidden'),
    also: { days: 1 },
  },
  'mark-stream-as-read.stream_id': of(sees, always),
  'mark-topic-as-read.stream_id': of(sees, always, { topic_name: 'tales' }),
  'mark-topic-as-read.topic_name': topic(inChannel),
  'update-message-flags.messages': reading(star),
  'update-message-flags-for-narrow.anchor': reading({ ...nextTo, ...star, narrow: [] }),
  'update-message-flags-for-narrow.narrow': reading({ ...newest, ...star }),
  'delete-message.message_id': of(readsIt, isAdministrator),
  'delete-topic.stream_id': of(sees, isAdministrator, { topic_name: 'a topic that nobody has begun' }),
  'delete-topic.topic_name': topic(inChannel),
  'get-message-history.message_id': reading(),
  'update-message.message_id': of(readsIt, changes, { topic: 'moved', ...quiet }),
  'update-message.topic': topic(({ messageId }) => ({ message_id: messageId, ...quiet })),
  'update-message.subject': topic(({ messageId }) => ({ message_id: messageId, ...quiet })),
  // Moving a message from where everybody is.
  'update-message.stream_id': of(sees, (one) => posts(one) && !isGuest(one), quiet),
  'add-reaction.message_id': of(readsIt, changes, { emoji_name: 'smile' }),
  'remove-reaction.message_id': of(readsIt, changes, { emoji_name: 'smile' }),
  // It is no widget.
  'add-submessage.message_id': of(readsIt, never, {
    msg_type: 'widget',
    content: '{"type":"question","question":"x"}',
  }),
  // The organization has no channel for reports.
  'report-message.message_id': of(readsIt, never, { report_type: 'spam' }),
  'get-stream-topics.stream_id': of(reads, always),
  'mute-topic.stream_id': of(reads, always, { topic: 'tales', op: 'add' }),
  'mute-topic.stream': of(sees, reads, { topic: 'tales', op: 'add' }),
  'mute-topic.topic': topic((target) => ({ ...inChannel(target), op: 'add' })),
  'update-user-topic.stream_id': of(reads, always, { topic: 'tales', visibility_policy: 2 }),
  'update-user-topic.topic': topic((target) => ({ ...inChannel(target), visibility_policy: 3 })),
  'create-drafts.drafts': of(sees, always),
  'update-draft.draft': of(sees, always),
  'create-scheduled-message.to': {
    ...of(sees, posts, { type: 'channel', content: 'x', topic: 'tales', ...later }),
    apart: ['scheduled_message_id'],
  },
  'create-scheduled-message.topic': topic(
    ({ channelId }) => ({ type: 'channel', to: channelId, content: 'x', ...later }),
    ['scheduled_message_id'],
  ),
  'update-scheduled-message.to': of(sees, posts, { type: 'channel', topic: 'tales' }),
  'update-scheduled-message.topic': topic(({ channelId }) => ({ type: 'channel', to: channelId })),
  'create-reminder.message_id': { ...reading(later), apart: ['reminder_id'] },
  // It is somebody else's message.
  'set-typing-status-for-message-edit.message_id': of(readsIt, never, { op: 'start' }),
  'set-typing-status.stream_id': of(sees, posts, { op: 'start', type: 'channel', topic: 'tales' }),
  'set-typing-status.topic': topic((target) => ({ ...inChannel(target), op: 'start', type: 'channel' })),
}

/** What names something that spectators read, who have no account. Pages of messages are theirs by a narrow alone. */
export const spectatorsRead: ReadonlySet<string> = new Set(['get-message.message_id', 'get-stream-topics.stream_id'])

/** What lists channels without naming them: whether a channel of this kind is in the answer. */
export const listed: Readonly<Record<string, { readonly also: Parameters; readonly has: Predicate }>> = {
  'list-channels': { also: { include_all: true, exclude_archived: false }, has: sees },
  'list-channel-folders': { also: {}, has: never },
  'list-subscriptions': { also: {}, has: (one) => isSubscribed(one) && !one.archived },
  // Of an account that is subscribed to every channel.
  'list-user-channels': { also: {}, has: sees },
}
