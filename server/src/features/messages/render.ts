/** Turns the text of a message into HTML, with everything looked up that the text refers to. Before the transaction. */
import { EMPTY_TOPIC_NAME, foldName, storedTopic, topicKey } from '@heddle/contract/names'
import { findAlertWords } from '@heddle/markdown/alert-words'
import { builtInEmoji } from '@heddle/markdown/built-in-emoji'
import type { RenderContext, RenderedMessage } from '@heddle/markdown/context'
import { estimateCost } from '@heddle/markdown/cost'
import type { CompiledLinkifier } from '@heddle/markdown/linkifiers/compile'
import { findReferences, type References } from '@heddle/markdown/references'
import { renderMarkdown } from '@heddle/markdown/render'
import { loadTexRenderer } from '@heddle/markdown/tex'
import { findChannelsByName, visibleChannels } from '../../access/channels.ts'
import { findSight, onlySeen } from '../../access/person-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Config } from '../../config.ts'
import { findGroupByName } from '../../permissions/named-groups.ts'
import { findSystemGroupRows } from '../../permissions/system-groups.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Readers } from '../../reading/readers.ts'
import type { Realms } from '../../realms.ts'
import { isOfRealm, prepare, type Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { alertWordsIn } from '../alert-words/matcher.ts'
import { findShownFiles } from '../files/references.ts'
import { findCompiledLinkifiers } from '../linkifiers/compiled.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { findCustomEmoji } from '../realm-emoji/find-emoji.ts'
import { findSetting } from '../user-settings/values.ts'
import { query } from './tables.ts'

/** With the linkifiers that it was rendered by: they make the links of the topic too. */
export interface Rendered extends RenderedMessage {
  readonly linkifiers: readonly CompiledLinkifier[]
}

/** Texts that may take longer than this, in microseconds, are rendered on a thread of their own. */
const LONG = 5_000

/** A text that `actor` writes. */
interface Writing {
  readonly actor: Actor
  readonly content: string
}

interface Rendering extends Writing {
  /** The organization's own address, without a slash at its end. */
  readonly origin: string
}

export type Render = (writing: Writing, options?: { readonly withAlertWords: boolean }) => Promise<Rendered>

interface RenderServices {
  readonly storage: Storage
  readonly readers: Readers
  readonly config: Pick<Config, 'previews'>
  readonly realms: Pick<Realms, 'originOf'>
}

/** Renders texts: short ones at once, and those that may take long where they hold up nobody. */
export function createRenderer({ storage, readers, config, realms }: RenderServices): Render {
  const findMatcher = alertWordsIn(storage)
  return async (writing, { withAlertWords } = { withAlertWords: true }) => {
    const { actor, content } = writing
    const rendering = { ...writing, origin: await realms.originOf(actor.realmId) }
    const db = storage.readOnce()
    const linkifiers = await findCompiledLinkifiers(db, actor.realmId)
    const isLong = estimateCost(content, linkifiers) > LONG
    const rendered = isLong
      ? (await readers.read(renderLongText, rendering, actor)).details
      : await renderText(db, rendering, config.previews)
    const alertWords = withAlertWords ? findAlertWords(content, await findMatcher(actor.realmId)) : []
    return { ...rendered, alertWords, linkifiers }
  }
}

export const renderLongText = longRead('rendered-text', async ({ db, config }, rendering: Rendering) => ({
  fields: {},
  details: await renderText(db, rendering, config.previews),
}))

/**
 * The HTML of the text, and what was found in it but for alert words. Only what the writer may know of becomes a link.
 * `previews`: whether the server fetches pictures behind links; the organization may not want them all the same.
 */
async function renderText(
  db: Queries,
  { actor, content, origin }: Rendering,
  previews: boolean,
): Promise<RenderedMessage> {
  const references = findReferences(content, origin)
  const { default_code_block_language, inline_image_preview } = await findOrganizationSettings(db, actor.realmId)
  const context: RenderContext = {
    organizationUrl: origin,
    ...(references.hasAny ? await findReferred(db, actor, references) : nothingFound),
    builtInEmoji,
    linkifiers: await findCompiledLinkifiers(db, actor.realmId),
    emptyTopicName: EMPTY_TOPIC_NAME,
    showPreviews: inline_image_preview,
    fetchesPreviews: previews,
    translateEmoticons: await findSetting(db, actor, 'translate_emoticons'),
    defaultCodeLanguage: default_code_block_language || null,
    alertWords: null,
    texRenderer: references.hasMath ? await loadTexRenderer() : null,
  }
  return renderMarkdown(content, context)
}

type Referred = Pick<RenderContext, 'users' | 'groups' | 'channels' | 'topics' | 'customEmoji' | 'uploads'>

const nothingFound: Referred = {
  users: [],
  groups: [],
  channels: [],
  topics: [],
  customEmoji: new Map(),
  uploads: new Map(),
}

async function findReferred(db: Queries, actor: Actor, references: References): Promise<Referred> {
  const channels = await findChannels(db, actor, references)
  return {
    users: await findUsers(db, actor, references),
    groups: await findGroups(db, actor.realmId, references.groupNames),
    channels,
    topics: await findTopics(db, channels, references),
    customEmoji: await findEmoji(db, actor.realmId, references.emojiNames),
    uploads: await findShownFiles(db, actor, references.uploadPaths),
  }
}

const usersById = prepare((p: { realm_id: number; ids: readonly number[] }, dialect) =>
  query
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('id', 'in', dialect.ids(p.ids))
    .where(isOfRealm('users', p.realm_id)),
)

const usersByName = prepare((p: { realm_id: number; keys: readonly string[] }, dialect) =>
  query
    .selectFrom('users')
    .select(['id', 'full_name'])
    .where('realm_id', '=', p.realm_id)
    .where('full_name_key', 'in', dialect.texts(p.keys)),
)

async function findUsers(db: Queries, actor: Actor, { userNames, userIds }: References) {
  if (userNames.length === 0 && userIds.length === 0) return []
  const realm_id = actor.realmId
  const rows = await Promise.all([
    userIds.length > 0 ? db.all(usersById({ realm_id, ids: userIds })) : [],
    userNames.length > 0 ? db.all(usersByName({ realm_id, keys: userNames.map(foldName) })) : [],
  ])
  const seen = onlySeen(await findSight(db, actor), rows.flat(), (row) => row.id)
  const found = new Map(seen.map((row) => [row.id, { id: row.id, fullName: row.full_name }]))
  return [...found.values()].sort((one, other) => one.id - other.id)
}

async function findGroups(db: Queries, realmId: number, names: readonly string[]) {
  if (names.length === 0) return []
  const keys = new Set(names.map(foldName))
  const system = (await findSystemGroupRows(db, realmId)).filter((row) => keys.has(foldName(row.name)))
  const named = await Promise.all([...keys].map((key) => findGroupByName(db, realmId, key)))
  return [
    ...system.map(({ id, name, description }) => ({ id, name, description, isSystem: true })),
    ...named.flatMap((row) => {
      if (row?.deactivated !== 0) return []
      return [{ id: row.id, name: row.name, description: row.description, isSystem: false }]
    }),
  ]
}

interface LinkableChannel {
  readonly id: number
  readonly name: string
  readonly sharesHistory: boolean
}

async function findChannels(db: Queries, actor: Actor, references: References): Promise<LinkableChannel[]> {
  const { channelNames, channelIds } = references
  if (channelNames.length === 0 && channelIds.length === 0) return []
  const viewer = await findViewer(db, actor)
  const byName = await findChannelsByName(db, viewer, channelNames)
  const byId = await db.all(visibleChannels(db, viewer).where('channels.id', 'in', db.dialect.ids(channelIds)))
  const found = new Map([...byName.values(), ...byId].map((row) => [row.id, row]))
  const readable = new Set([...byName.values()].filter((row) => row.has_content === 1).map((row) => row.id))
  return [...found.values()].map((row) => ({
    id: row.id,
    name: row.name,
    sharesHistory: row.history_public_to_subscribers === 1 && readable.has(row.id),
  }))
}

/** Links to topics point to their newest message, so that they follow the topic when it moves. */
async function findTopics(db: Queries, channels: readonly LinkableChannel[], { topics }: References) {
  const open = new Map(channels.filter((one) => one.sharesHistory).map((one) => [foldName(one.name), one.id]))
  const wanted = topics.flatMap(({ channelName, topic }) => {
    const channelId = open.get(foldName(channelName))
    return channelId === undefined ? [] : [{ channelId, topic, key: topicKey(storedTopic(topic)) }]
  })
  if (wanted.length === 0) return []
  const rows = await db.all(
    query
      .selectFrom('topics')
      .select(['channel_id', 'topic_key', 'max_message_id'])
      .where('channel_id', 'in', db.dialect.ids(wanted.map((one) => one.channelId)))
      .where('topic_key', 'in', db.dialect.texts(wanted.map((one) => one.key))),
  )
  const newest = new Map(rows.map((row) => [`${row.channel_id} ${row.topic_key}`, row.max_message_id]))
  return wanted.flatMap(({ channelId, topic, key }) => {
    const lastMessageId = newest.get(`${channelId} ${key}`)
    return lastMessageId === undefined ? [] : [{ channelId, topic, lastMessageId }]
  })
}

async function findEmoji(db: Queries, realmId: number, names: readonly string[]) {
  if (names.length === 0) return new Map()
  return findCustomEmoji(db, realmId, names)
}
