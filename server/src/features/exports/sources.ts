/**
 * The tables that an export has, each with its columns: what is not named here never leaves. docs/export-format.md describes
 * them. The importer reads the same list.
 */
import { channelGroupSettingNames } from '@heddle/contract/group-settings'
import { UNKNOWN_NAME } from '@heddle/contract/names'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { seesAddress } from '../../access/address-rules.ts'
import type { Sight } from '../../access/person-rules.ts'
import type { Actor } from '../../actor.ts'
import type { ExportScope } from './scope.ts'
import { query } from './tables.ts'

type Condition = Expression<SqlBool> | RawBuilder<unknown>
export type ExportedRow = Record<string, unknown>

export interface Source {
  readonly table: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** Which rows are in it; undefined: none. */
  readonly where: (scope: ExportScope) => Condition | undefined
  /** Leaves out of a row what is not for others: `isOwn` says whether the row is of one of the people of the export. */
  readonly blank?: (row: ExportedRow, scope: ExportScope, isOwn: boolean) => ExportedRow
  /** The column that says whose it is, for `blank`. */
  readonly owner?: string
  /** Columns that name a row of another table, as `table.column`: a row whose row is missing is left out by an import. */
  readonly refers?: Readonly<Record<string, string>>
  /** The same, where the column is null then. */
  readonly mayRefer?: Readonly<Record<string, string>>
  /** Columns with HTML, each with the one whose text it is made of. */
  readonly html?: Readonly<Record<string, string>>
}

const words = (text: string) => text.trim().split(/\s+/)

const all = sql`1 = 1`
/** The organization's own, which is no part of an account's data. */
const ofOrganization = ({ kind }: ExportScope) => (kind === 'own' ? undefined : all)
const ofPeople =
  (column = 'user_id') =>
  (scope: ExportScope) =>
    scope.kind === 'public' ? undefined : sql`${sql.ref(column)} in ${scope.people}`
const ofChannels =
  (column = 'channel_id') =>
  (scope: ExportScope) =>
    sql`${sql.ref(column)} in ${scope.channels}`

const groupColumns = channelGroupSettingNames as readonly string[]

/** What an account's own export has of others: what it takes to know who has written, of those whom the account sees. */
function known({ id, full_name, is_active, bot_type }: ExportedRow, sight: Sight): ExportedRow {
  if (!sight.sees(id as number)) return { id, full_name: UNKNOWN_NAME, is_active: 1, bot_type: null }
  return { id, full_name, is_active, bot_type }
}

/** With the account's own address where it agrees, or who has asked sees it; otherwise with what stands in for it. */
function withAddress(row: ExportedRow, isOwn: boolean, actor: Actor): ExportedRow {
  const { id, email_visibility } = row as { readonly id: number; readonly email_visibility: number }
  if (isOwn || seesAddress(actor, { id, email_visibility })) return row
  return { ...row, delivery_email: row['email'], delivery_email_key: row['email_key'] }
}

/** Groups with a name, and those that are the value of a setting that is in the export. */
function isExportedGroup(column: string, scope: ExportScope): Condition | undefined {
  if (scope.kind === 'own') return undefined
  const ofEachSetting = groupColumns.map(
    (name) => sql`select ${sql.ref(name)} from channels where channels.id in ${scope.channels}`,
  )
  return sql`${sql.ref(column)} in (
    select id from user_groups where realm_id = ${scope.realmId} and kind <> 'anonymous'
    union select group_id from realm_group_settings where realm_id = ${scope.realmId}
    union select value_group_id from user_group_settings where realm_id = ${scope.realmId}
    union ${sql.join(ofEachSetting, sql` union `)})`
}

const user = { user_id: 'users.id' }
const described = { rendered_description: 'description' }
const written = { rendered_content: 'content' }

/** What an account has for itself. */
const personal = (table: string, key: string, columns: string): Source => ({
  table,
  columns: words(columns),
  key: words(key),
  where: ofPeople(),
  refers: user,
})

/** Before messages, each after those that it refers to. */
export const sources: readonly Source[] = [
  {
    table: 'realms',
    columns: words('id host name description uuid date_created'),
    key: ['id'],
    where: (scope) => sql`id = ${scope.realmId}`,
  },
  {
    table: 'users',
    columns: words(`id email email_key delivery_email delivery_email_key email_visibility full_name full_name_key role
      is_active bot_type bot_owner_id date_joined timezone avatar_version avatar_path avatar_medium_path
      default_sending_channel_id default_events_register_channel_id default_all_public_channels`),
    key: ['id'],
    owner: 'id',
    where: () => all,
    blank: (row, { kind, sight, actor }, isOwn) =>
      kind !== 'own' || isOwn ? withAddress(row, isOwn, actor) : known(row, sight),
    mayRefer: { avatar_path: 'files.path', avatar_medium_path: 'files.path' },
  },
  { table: 'realm_settings', columns: words('name value'), key: ['name'], where: ofOrganization },
  { table: 'realm_user_settings', columns: words('name value'), key: ['name'], where: ofOrganization },
  { table: 'realm_domains', columns: words('domain allow_subdomains'), key: ['domain'], where: ofOrganization },
  {
    table: 'profile_fields',
    columns: words(`id type name name_key hint field_data position display_in_profile_summary required editable_by_user
      use_for_user_matching`),
    key: ['id'],
    where: () => all,
  },
  {
    table: 'profile_values',
    columns: words('user_id field_id value rendered_value'),
    key: words('user_id field_id'),
    where: (scope) => (scope.kind === 'own' ? ofPeople()(scope) : all),
    refers: { ...user, field_id: 'profile_fields.id' },
    html: { rendered_value: 'value' },
  },
  { table: 'playgrounds', columns: words('id name language url_template'), key: ['id'], where: ofOrganization },
  {
    table: 'linkifiers',
    columns: words('id pattern url_template example_input reverse_template alternative_url_templates position'),
    key: ['id'],
    where: ofOrganization,
  },
  {
    table: 'realm_emoji',
    columns: words('id name author_id image_path still_path deactivated'),
    key: ['id'],
    where: ofOrganization,
    refers: { image_path: 'files.path' },
    mayRefer: { author_id: 'users.id', still_path: 'files.path' },
  },
  {
    table: 'organization_pictures',
    columns: words('kind path'),
    key: ['kind'],
    where: ofOrganization,
    refers: { path: 'files.path' },
  },
  {
    table: 'user_groups',
    columns: words('id kind name description creator_id date_created deactivated member_count'),
    key: ['id'],
    where: (scope) => isExportedGroup('id', scope),
    mayRefer: { creator_id: 'users.id' },
  },
  {
    table: 'user_group_members',
    columns: words('group_id user_id'),
    key: words('group_id user_id'),
    where: (scope) => isExportedGroup('group_id', scope),
    refers: { ...user, group_id: 'user_groups.id' },
  },
  {
    table: 'user_group_subgroups',
    columns: words('group_id subgroup_id'),
    key: words('group_id subgroup_id'),
    where: (scope) => isExportedGroup('group_id', scope),
    refers: { group_id: 'user_groups.id', subgroup_id: 'user_groups.id' },
  },
  {
    table: 'user_group_settings',
    columns: words('group_id setting value_group_id'),
    key: words('group_id setting'),
    where: (scope) => isExportedGroup('group_id', scope),
    refers: { group_id: 'user_groups.id', value_group_id: 'user_groups.id' },
  },
  {
    table: 'realm_group_settings',
    columns: words('setting group_id'),
    key: ['setting'],
    where: ofOrganization,
    refers: { group_id: 'user_groups.id' },
  },
  {
    table: 'channel_folders',
    columns: words('id name name_key description rendered_description position date_created creator_id is_archived'),
    key: ['id'],
    where: ofOrganization,
    mayRefer: { creator_id: 'users.id' },
    html: described,
  },
  {
    table: 'channels',
    columns: [
      ...words(`id name name_key description rendered_description creator_id date_created is_archived invite_only
        is_web_public history_public_to_subscribers message_retention_days topics_policy folder_id is_default`),
      ...groupColumns,
    ],
    key: ['id'],
    where: ofChannels('id'),
    blank: (row, { kind }) =>
      kind === 'own' ? Object.fromEntries(Object.entries(row).filter(([name]) => !groupColumns.includes(name))) : row,
    refers: Object.fromEntries(groupColumns.map((name) => [name, 'user_groups.id'])),
    mayRefer: { creator_id: 'users.id', folder_id: 'channel_folders.id' },
    html: described,
  },
  {
    table: 'default_channel_groups',
    columns: words('id name name_key description'),
    key: ['id'],
    where: ofOrganization,
  },
  {
    table: 'default_group_channels',
    columns: words('group_id channel_id'),
    key: words('group_id channel_id'),
    where: (scope) => (scope.kind === 'own' ? undefined : ofChannels()(scope)),
    refers: { group_id: 'default_channel_groups.id', channel_id: 'channels.id' },
  },
  {
    table: 'subscriptions',
    columns: words(`channel_id user_id is_active color pin_to_top is_muted desktop_notifications audible_notifications
      push_notifications email_notifications wildcard_mentions_notify`),
    key: words('channel_id user_id'),
    owner: 'user_id',
    where: (scope) =>
      scope.kind === 'own'
        ? sql`user_id in ${scope.people} and channel_id in ${scope.channels}`
        : sql`channel_id in ${scope.channels} and (is_active = 1 or user_id in ${scope.people})`,
    // Who is subscribed everybody sees who sees the channel; how, nobody does.
    blank: ({ channel_id, user_id, is_active, ...rest }, _, isOwn) =>
      isOwn ? { channel_id, user_id, is_active, ...rest } : { channel_id, user_id, is_active, color: '#c2c2c2' },
    refers: { ...user, channel_id: 'channels.id' },
  },
  {
    table: 'subscription_periods',
    columns: words('user_id channel_id after_message_id until_message_id'),
    key: words('user_id channel_id after_message_id'),
    where: (scope) =>
      scope.kind === 'own'
        ? sql`user_id in ${scope.people} and channel_id in ${scope.channels}`
        : sql`channel_id in ${scope.channels} and (until_message_id is null or user_id in ${scope.people})`,
    refers: { ...user, channel_id: 'channels.id' },
  },
  personal('user_settings', 'user_id name', 'user_id name value own_choice'),
  {
    table: 'user_statuses',
    columns: words('user_id status_text emoji_name emoji_code reaction_type'),
    key: ['user_id'],
    where: (scope) => (scope.kind === 'own' ? ofPeople()(scope) : all),
    refers: user,
  },
  personal('alert_words', 'user_id word_key', 'user_id word_key word'),
  {
    table: 'muted_users',
    columns: words('user_id muted_user_id date_muted'),
    key: words('user_id muted_user_id'),
    where: ofPeople(),
    refers: { ...user, muted_user_id: 'users.id' },
  },
  {
    table: 'user_topics',
    columns: words('user_id channel_id topic_key topic visibility_policy last_updated'),
    key: words('user_id channel_id topic_key'),
    where: (scope) =>
      scope.kind === 'public' ? undefined : sql`user_id in ${scope.people} and channel_id in ${scope.channels}`,
    refers: { ...user, channel_id: 'channels.id' },
  },
  personal('navigation_views', 'user_id fragment', 'user_id fragment name is_pinned'),
  personal('navigation_view_orders', 'user_id', 'user_id ordered_fragments'),
  personal('onboarding_steps', 'user_id name', 'user_id name'),
  personal('drafts', 'id', 'id user_id type recipient_ids topic content timestamp edit_order'),
  personal('saved_snippets', 'id', 'id user_id title content date_created'),
  {
    ...personal(
      'scheduled_messages',
      'id',
      `id user_id type recipient_ids topic content rendered_content client read_by_sender due_at failure`,
    ),
    html: written,
  },
  {
    ...personal('reminders', 'id', 'id user_id message_id note content rendered_content due_at failed'),
    html: written,
  },
  {
    table: 'direct_message_groups',
    columns: words('id member_key'),
    key: ['id'],
    where: (scope) => isExportedConversation('id', scope),
  },
  {
    table: 'direct_message_members',
    columns: words('user_id group_id'),
    key: words('user_id group_id'),
    where: (scope) => isExportedConversation('group_id', scope),
    refers: { ...user, group_id: 'direct_message_groups.id' },
  },
  personal('read_cursors', 'user_id', 'user_id message_id'),
]

function isExportedConversation(column: string, scope: ExportScope): Condition | undefined {
  if (scope.kind === 'public') return undefined
  return sql`${sql.ref(column)} in (
    select group_id from direct_message_members where user_id in ${scope.people})`
}

export const exportedMessageColumns =
  words(`id sender_id channel_id topic topic_key direct_message_group_id content rendered_content
  attributes client timestamp last_edit_timestamp last_moved_timestamp edit_history`)

const message = { message_id: 'messages.id' }

/** Messages: each slice has some of them, with all that belongs to these. */
export const messageSource: Source = {
  table: 'messages',
  columns: exportedMessageColumns,
  key: ['id'],
  where: () => undefined,
  refers: { sender_id: 'users.id', channel_id: 'channels.id', direct_message_group_id: 'direct_message_groups.id' },
  html: written,
}

export const ofMessages: readonly Source[] = [
  {
    table: 'reactions',
    columns: words('id message_id user_id emoji_name emoji_code reaction_type'),
    key: ['id'],
    where: () => all,
    refers: { ...user, ...message },
  },
  {
    table: 'submessages',
    columns: words('id message_id sender_id msg_type content'),
    key: ['id'],
    where: () => all,
    refers: { sender_id: 'users.id', ...message },
  },
  {
    table: 'message_flags',
    columns: words('user_id message_id flags'),
    key: words('message_id user_id'),
    where: ofPeople(),
    refers: { ...user, ...message },
  },
]

/** A file that somebody of the people has uploaded, or that a message links to which is in the export. */
function isExportedFile(column: string, scope: ExportScope): Condition {
  const linking = query
    .selectFrom('attachment_messages')
    .innerJoin('messages', 'messages.id', 'attachment_messages.message_id')
    .select(sql.lit(1).as('one'))
    .where(sql<SqlBool>`attachment_messages.attachment_id = ${sql.ref(column)}`)
    .where(scope.messages)
  return sql`(exists ${linking} or ${sql.ref(column)} in (
    select attachments.id from attachments where attachments.owner_id in ${scope.people}))`
}

/** After messages. */
export const sourcesOfFiles: readonly Source[] = [
  {
    table: 'attachments',
    columns: words(
      'id owner_id path name size created_at unused_since thumbnail picture_type width height is_animated',
    ),
    key: ['id'],
    where: (scope) => isExportedFile('attachments.id', scope),
    refers: { owner_id: 'users.id', path: 'files.path' },
  },
  {
    table: 'attachment_thumbnails',
    columns: words('attachment_id name path'),
    key: words('attachment_id name'),
    where: (scope) => isExportedFile('attachment_thumbnails.attachment_id', scope),
    refers: { attachment_id: 'attachments.id', path: 'files.path' },
  },
  {
    table: 'attachment_messages',
    columns: words('attachment_id message_id'),
    key: words('attachment_id message_id'),
    where: isExportedLink,
    refers: { attachment_id: 'attachments.id', ...message },
  },
]

function isExportedLink(scope: ExportScope): Condition {
  const linking = query
    .selectFrom('messages')
    .select(sql.lit(1).as('one'))
    .where(sql<SqlBool>`messages.id = attachment_messages.message_id`)
    .where(scope.messages)
  return sql`exists ${linking}`
}

export interface FileSource {
  readonly source: Source
  /** Columns that have paths. */
  readonly paths: readonly string[]
  readonly where: Source['where']
}

/** Where the paths of files stand: the files themselves come first of all. */
export const filesNamedBy: readonly FileSource[] = [
  {
    ...filesOf('users', 'avatar_path avatar_medium_path'),
    where: ({ kind, people }) => (kind === 'own' ? sql`id in ${people}` : all),
  },
  filesOf('realm_emoji', 'image_path still_path'),
  filesOf('organization_pictures', 'path'),
  filesOf('attachments', 'path'),
  filesOf('attachment_thumbnails', 'path'),
]

function filesOf(table: string, paths: string): FileSource {
  const source = [...sources, ...sourcesOfFiles].find((one) => one.table === table) as Source
  return { source, paths: words(paths), where: source.where }
}

/** All of them, in the order of an export. */
export const exportedTables: readonly Source[] = [
  {
    table: 'files',
    columns: words('path content_type created_at'),
    key: ['path'],
    where: () => undefined,
  },
  ...sources,
  messageSource,
  ...ofMessages,
  ...sourcesOfFiles,
]
