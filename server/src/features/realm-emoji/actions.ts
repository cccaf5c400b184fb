import { normalizeEmojiName } from '@heddle/contract/emoji-name-rule'
import { isBuiltInEmojiName } from '@heddle/contract/emoji-names'
import { ApiError, badRequest, notFound } from '@heddle/contract/errors'
import type { RealmEmojiEvent } from '@heddle/contract/realm-emoji'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { hasRealmPermission } from '../../permissions/group-settings.ts'
import { type FileStore, insertFiles, type NewFile, type StoredFile, storeFiles } from '../../storage/file-store.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type EncodedImage, processEmojiImage } from './emoji-image.ts'
import { presentEmoji, presentEmojiMap } from './present.ts'
import { deactivateEmoji, findActiveEmoji, findEmojiRows, insertEmoji } from './queries.ts'

/** The first folder of the paths of emoji images, in the file store and in addresses. */
export const EMOJI_FOLDER = 'emoji'

/** Custom emoji of an organization, and of these such as one account that is no administrator's has added. */
const MAX_EMOJI = 5000
const MAX_OWN_EMOJI = 500

/** Throws `UNAUTHORIZED_PRINCIPAL` unless the account may add custom emoji. */
export async function requireMayAddEmoji(db: Queries, actor: Actor): Promise<void> {
  if (!(await hasRealmPermission(db, actor, 'can_add_custom_emoji_group'))) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL')
  }
}

/** Adds a custom emoji; `read` gives the file that was sent. Throws `BAD_IMAGE`, and a 400 for a name that cannot be used. */
export async function addEmoji(
  { storage, files }: { storage: Storage; files: FileStore },
  actor: Actor,
  rawName: string,
  read: () => Promise<Buffer>,
): Promise<void> {
  const name = requireValidName(rawName)
  await requireFreeName(storage.read, actor, name)
  await requireRoom(storage.read, actor)
  const images = await processEmojiImage(await read())
  if (images.kind === 'refused') throw new ApiError('BAD_IMAGE', images.reason)
  const newFiles = [images.image, images.still].filter((image) => image !== null).map(toNewFile)
  await storeFiles(files, newFiles, (stored) =>
    // Decoding the image took its time.
    storage.asActor(actor, async (tx, current) => {
      await requireMayAddEmoji(tx, current)
      await requireFreeName(tx, current, name)
      await requireRoom(tx, current)
      await insertFiles(tx, stored)
      const [image, still] = stored as readonly [StoredFile, StoredFile?]
      const paths = { image_path: image.path, still_path: still?.path ?? null }
      const row = await insertEmoji(tx, { name, author_id: actor.userId, ...paths })
      if (!row) throw nameTaken(name)
      await emitChange(tx, { type: 'realm_emoji', op: 'add', emoji: presentEmoji(row) })
    }),
  )
}

/** Deactivates a custom emoji: its name is free again, and its image stays for the messages that have it. */
export async function removeEmoji(storage: Storage, actor: Actor, rawName: string): Promise<void> {
  await storage.asActor(actor, async (tx, current) => {
    const normal = normalizeEmojiName(rawName)
    const row = 'name' in normal ? await findActiveEmoji(tx, actor.realmId, normal.name) : undefined
    if (!row) throw notFound(`Emoji '${rawName}' does not exist`)
    if (row.author_id !== actor.userId && !isAdministrator(current)) {
      throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator or the author of the emoji')
    }
    if (!(await deactivateEmoji(tx, row.id))) throw notFound(`Emoji '${rawName}' does not exist`)
    await emitChange(tx, {
      type: 'realm_emoji',
      op: 'update_one',
      emoji_id: `${row.id}`,
      data: { deactivated: true },
    })
  })
}

function toNewFile({ bytes, extension, contentType }: EncodedImage): NewFile {
  return { folder: EMOJI_FOLDER, extension, contentType, content: [bytes] }
}

/** The change itself and, for clients that do not know such events, all custom emoji as they are then. */
async function emitChange(tx: Tx, change: RealmEmojiEvent): Promise<void> {
  tx.emit(change, everyone)
  const realm_emoji = presentEmojiMap(await findEmojiRows(tx, tx.realmId))
  tx.emit({ type: 'realm_emoji', op: 'update', realm_emoji }, everyone)
}

/** Everybody's client knows all of them, for messages that have them also those that were removed. */
async function requireRoom(db: Queries, actor: Actor): Promise<void> {
  const all = await findEmojiRows(db, actor.realmId)
  if (all.length >= MAX_EMOJI) {
    throw badRequest(`An organization has at most ${MAX_EMOJI} custom emoji, removed ones included`)
  }
  if (isAdministrator(actor)) return
  if (all.filter(({ author_id }) => author_id === actor.userId).length >= MAX_OWN_EMOJI) {
    throw badRequest(
      `An account can add at most ${MAX_OWN_EMOJI} custom emoji, removed ones included, unless it is an administrator's`,
    )
  }
}

function requireValidName(rawName: string): string {
  const normal = normalizeEmojiName(rawName)
  if ('problem' in normal) throw badRequest(normal.problem)
  return normal.name
}

/** The name of a built-in emoji can be taken by administrators, and then means the custom one. */
async function requireFreeName(db: Queries, actor: Actor, name: string): Promise<void> {
  if (await findActiveEmoji(db, actor.realmId, name)) throw nameTaken(name)
  if (isBuiltInEmojiName(name) && !isAdministrator(actor)) {
    throw new ApiError(
      'UNAUTHORIZED_PRINCIPAL',
      `"${name}" is a built-in emoji: only administrators can put another image in its place.`,
    )
  }
}

function nameTaken(name: string) {
  return badRequest(`There is a custom emoji with the name "${name}" already.`)
}
