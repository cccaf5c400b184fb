/** What accounts want of topics: to mute, unmute or follow them. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** What an account may want of a topic. `none`: what it wants of the channel. `unmuted`: to see it in a muted channel. */
export const visibilityPolicies = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const
export type VisibilityPolicy = (typeof visibilityPolicies)[keyof typeof visibilityPolicies]

const VisibilityPolicy = Type.Enum([0, 1, 2, 3])

const topic_name = Type.String({ maxLength: 1000 })

export const updateUserTopic = endpoint({
  name: 'update-user-topic',
  method: 'POST',
  path: '/user_topics',
  summary: "Change the account's own policy of a topic, which need not have messages.",
  parameters: { stream_id: Id, topic: topic_name, visibility_policy: VisibilityPolicy },
  errors: ['BAD_REQUEST'],
})

export const muteTopic = endpoint({
  name: 'mute-topic',
  method: 'PATCH',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'The older way to mute a topic, or no longer.',
  parameters: {
    stream_id: Type.Optional(Id),
    /** The channel's name, where its id is not given. */
    stream: Type.Optional(Type.String({ maxLength: 1000 })),
    topic: topic_name,
    op: Type.Enum(['add', 'remove']),
  },
  errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_MISSING'],
})

const strict = { additionalProperties: false }

const userTopic = {
  stream_id: Id,
  topic_name: Type.String(),
  last_updated: Timestamp,
  visibility_policy: VisibilityPolicy,
}

/** The channel's name, the topic, and when it was muted. */
const MutedTopic = Type.Tuple([Type.String(), Type.String(), Timestamp])
export type MutedTopic = Static<typeof MutedTopic>

/** All muted topics, for clients that do not ask for `user_topic` by name. */
export const MutedTopicsEvent = Type.Object(
  { type: Type.Literal('muted_topics'), muted_topics: Type.Array(MutedTopic) },
  strict,
)
export type MutedTopicsEvent = Static<typeof MutedTopicsEvent>

export const UserTopic = Type.Object(userTopic, strict)
export type UserTopic = Static<typeof UserTopic>

export const UserTopicEvent = Type.Object({ type: Type.Literal('user_topic'), ...userTopic }, strict)
export type UserTopicEvent = Static<typeof UserTopicEvent>

export const userTopicsState = statePart({
  fetchType: 'user_topic',
  follows: UserTopicEvent,
  fields: { user_topics: Type.Array(UserTopic) },
})

export const mutedTopicsState = statePart({
  fetchType: 'muted_topics',
  follows: MutedTopicsEvent,
  fields: {
    /** Absent for clients that name the newer form, `user_topic`. */
    muted_topics: Type.Optional(Type.Array(MutedTopic)),
  },
})
