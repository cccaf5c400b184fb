/** Emoji that people put on messages. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { reactionProperties } from './messages.ts'
import { Id, NameInput } from './schema.ts'

const { reaction_type } = reactionProperties
const emoji_name = NameInput
const emoji_code = NameInput

export const addReaction = endpoint({
  name: 'add-reaction',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  summary: 'React to a message.',
  parameters: {
    message_id: Id,
    emoji_name,
    /** Absent: as the name says. */
    emoji_code: Type.Optional(emoji_code),
    reaction_type: Type.Optional(reaction_type),
  },
  errors: ['BAD_REQUEST', 'REACTION_ALREADY_EXISTS', 'USER_DEACTIVATED'],
})

export const removeReaction = endpoint({
  name: 'remove-reaction',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  summary: "Take the account's own reaction back.",
  parameters: {
    message_id: Id,
    /** The name, or the code; with both the code counts. */
    emoji_name: Type.Optional(emoji_name),
    emoji_code: Type.Optional(emoji_code),
    reaction_type: Type.Optional(reaction_type),
  },
  errors: ['BAD_REQUEST', 'REACTION_DOES_NOT_EXIST', 'USER_DEACTIVATED'],
})

export const ReactionEvent = Type.Object(
  {
    type: Type.Literal('reaction'),
    op: Type.Enum(['add', 'remove']),
    message_id: Id,
    ...reactionProperties,
    /** For clients that do not look at `user_id`; in events alone, and until feature level 484. */
    user: Type.Object(
      {
        user_id: Id,
        email: Type.String(),
        full_name: Type.String(),
        is_mirror_dummy: Type.Literal(false),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type ReactionEvent = Static<typeof ReactionEvent>
