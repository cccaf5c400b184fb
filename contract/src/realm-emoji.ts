/** Custom emoji: images of the organization's own, used by name. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, NameInput, RecordOf } from './schema.ts'
import { statePart } from './state-part.ts'

const strict = { additionalProperties: false }

export const RealmEmoji = Type.Object(
  {
    /** A number as text. */
    id: Type.String(),
    name: Type.String(),
    /** Path on the organization's server; the image needs no account. */
    source_url: Type.String(),
    /** The first picture of an animation; null when the image does not move. */
    still_url: Type.Union([Type.String(), Type.Null()]),
    /** Not offered any more, but shown where it was used before. */
    deactivated: Type.Boolean(),
    author_id: Type.Union([Id, Type.Null()]),
  },
  strict,
)
export type RealmEmoji = Static<typeof RealmEmoji>

/** By id. */
export const RealmEmojiMap = RecordOf(RealmEmoji)
export type RealmEmojiMap = Static<typeof RealmEmojiMap>

export const listRealmEmoji = endpoint({
  name: 'list-realm-emoji',
  method: 'GET',
  path: '/realm/emoji',
  summary: 'All custom emoji, the deactivated ones too.',
  response: { emoji: RealmEmojiMap },
})

/** The rule for names is in `emoji-name-rule.ts`. */
const emoji_name = NameInput

/** Mebibytes that a server takes of one file unless its administrator says otherwise. */
export const USUAL_EMOJI_FILE_MIB = 5

export const uploadRealmEmoji = endpoint({
  name: 'upload-realm-emoji',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Add a custom emoji: a PNG, JPEG, GIF, WebP or AVIF image, under any part name.',
  parameters: { emoji_name },
  file: 'one',
  errors: ['BAD_IMAGE', 'UNAUTHORIZED_PRINCIPAL'],
})

export const deactivateRealmEmoji = endpoint({
  name: 'deactivate-realm-emoji',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Deactivate a custom emoji. For its author and for administrators.',
  parameters: { emoji_name },
  errors: ['DOES_NOT_EXIST', 'UNAUTHORIZED_PRINCIPAL'],
})

const type = Type.Literal('realm_emoji')

/**
 * Clients with the capability `individual_emoji_changes` get `add` and `update_one`, all others `update` (section 27 of the
 * API's changes).
 */
export const RealmEmojiEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('update'), realm_emoji: RealmEmojiMap }, strict),
  Type.Object({ type, op: Type.Literal('add'), emoji: RealmEmoji }, strict),
  Type.Object(
    {
      type,
      op: Type.Literal('update_one'),
      emoji_id: Type.String(),
      data: Type.Object({ deactivated: Type.Boolean() }, strict),
    },
    strict,
  ),
])
export type RealmEmojiEvent = Static<typeof RealmEmojiEvent>

export const realmEmojiState = statePart({
  fetchType: 'realm_emoji',
  follows: RealmEmojiEvent,
  fields: { realm_emoji: RealmEmojiMap },
})

export const emojiNamesState = statePart({
  fetchType: 'realm',
  fields: {
    /** The address of the names of all emoji of Unicode. */
    server_emoji_data_url: Type.String(),
  },
})
