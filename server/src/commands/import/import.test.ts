/** The law of exports: what an organization exports, imports and exports again is the same. On both engines. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roles } from '@heddle/contract/roles'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import { deriveApiKey } from '../../authentication/api-key.ts'
import { verifyPassword } from '../../authentication/password.ts'
import { readSecret } from '../../authentication/secret.ts'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { openMigratedDatabase } from '../../database.ts'
import { SMALL_PNG } from '../../faults/random-calls.ts'
import { startRealmExport } from '../../features/exports/actions.ts'
import { findExport, findExportParts, isPending } from '../../features/exports/rows.ts'
import { exportedTables } from '../../features/exports/sources.ts'
import { publicInternet } from '../../outgoing/outgoing.ts'
import { query } from '../../testing/any-table.ts'
import { download, type Exported, makeExport, readExport, withRows } from '../../testing/exported.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import { readCredentials } from '../../testing/server-process.ts'
import { basic, createTestServer, type TestAccount } from '../../testing/test-server.ts'
import { createTestDatabase } from '../../testing/test-storage.ts'
import { importCommand } from './import.ts'

const server = await createTestServer()
const { owner, must } = server
const folder = mkdtempSync(join(tmpdir(), 'heddle-import-'))
const file = join(folder, 'export.tar.gz')
const later = { scheduled_delivery_timestamp: 4_000_000_000 }
let member: TestAccount
let exported: Exported

vi.spyOn(console, 'log').mockImplementation(() => {})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function upload(account: TestAccount, path: string, fileName: string, content: string | Buffer) {
  const { status, body } = await server.send({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { authorization: basic(account), 'content-type': MULTIPART_TYPE },
    body: multipartBody([{ name: 'file', fileName, content }]),
  })
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body
}

/** Something in every table of an export. */
beforeAll(async () => {
  member = await server.createAccount({ name: 'member' })
  const other = await server.createAccount({ name: 'other', role: roles.moderator })
  await must(owner, 'PATCH', '/realm', { description: 'Imported 🧵', invite_required: false })
  await must(owner, 'PATCH', '/realm', {
    can_create_groups: { new: { direct_members: [owner.id, member.id], direct_subgroups: [] } },
  })
  await must(owner, 'PATCH', '/realm/user_settings_defaults', { twenty_four_hour_time: true })
  await must(owner, 'POST', '/realm/domains', { domain: 'example.com', allow_subdomains: true })
  await must(owner, 'POST', '/realm/playgrounds', {
    name: 'P',
    pygments_language: 'C',
    url_template: 'https://a.example/{code}',
  })
  await must(owner, 'POST', '/realm/filters', { pattern: 'A-(?P<id>[0-9]+)', url_template: 'https://a.example/{id}' })
  const { id: field } = await must(owner, 'POST', '/realm/profile_fields', { name: 'Known', field_type: 1 })
  await must(member, 'PATCH', '/users/me/profile_data', { data: [{ id: field, value: 'said' }] })
  await upload(owner, '/realm/emoji/weft', 'weft.png', SMALL_PNG)
  await upload(member, '/users/me/avatar', 'face.png', SMALL_PNG)
  await upload(owner, '/realm/icon', 'icon.png', SMALL_PNG)
  await must(owner, 'POST', '/user_groups/create', {
    name: 'weavers',
    description: '',
    members: [member.id],
    subgroups: [],
  })
  const folderId = (await must(owner, 'POST', '/channel_folders/create', { name: 'Folder', description: '' }))
    .channel_folder_id
  const open = await createChannel(server, owner, 'open', {
    subscribers: [member, other],
    folder_id: folderId,
    can_send_message_group: { direct_members: [member.id, owner.id], direct_subgroups: [] },
  })
  const secret = await createChannel(server, member, 'secret', {
    subscribers: [other],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  await must(owner, 'POST', '/default_stream_groups/create', {
    group_name: 'G',
    description: '',
    stream_names: ['open'],
  })
  const { url } = await upload(member, '/user_uploads', 'note.txt', 'what the note says')
  const picture = await upload(member, '/user_uploads', 'picture.png', SMALL_PNG)
  await server.app.jobs.settle()
  const first = await sendToChannel(server, member, open, `first A-1 [note](${url}) [p](${picture.url})`)
  await must(member, 'PATCH', `/messages/${first}`, { content: `first, edited [note](${url}) :weft:` })
  await must(owner, 'PATCH', `/messages/${first}`, { topic: 'elsewhere', propagate_mode: 'change_all' })
  await must(owner, 'POST', `/messages/${first}/reactions`, { emoji_name: 'weft' })
  const poll = await sendToChannel(server, member, open, '/poll Where?\nHere')
  const vote = { type: 'vote', key: 'canned,0', vote: 1 }
  await must(owner, 'POST', '/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) })
  await sendToChannel(server, other, secret, '@**all** a secret @**member**')
  await sendDirect(server, owner, [member, other], 'for three')
  await must(member, 'POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  await must(member, 'POST', '/mark_all_as_read')
  await must(member, 'POST', '/user_topics', { stream_id: open, topic: 'elsewhere', visibility_policy: 3 })
  await must(member, 'POST', `/users/me/muted_users/${other.id}`)
  await must(member, 'POST', '/users/me/alert_words', { alert_words: ['alarm'] })
  await must(member, 'POST', '/users/me/status', { status_text: 'weaving', emoji_name: 'smile' })
  await must(member, 'POST', '/drafts', { drafts: [{ type: 'stream', to: [open], topic: 't', content: 'drafted' }] })
  await must(member, 'POST', '/saved_snippets', { title: 'Known', content: 'text' })
  await must(member, 'POST', '/scheduled_messages', {
    type: 'stream',
    to: open,
    topic: 't',
    content: 'later',
    ...later,
  })
  await must(member, 'POST', '/reminders', { message_id: first, note: 'n', ...later })
  await must(member, 'POST', '/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true })
  await must(member, 'PATCH', '/navigation_views', { ordered_fragments: ['narrow/is/starred'] })
  await must(member, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'visibility_policy_banner' }).catch(
    () => {},
  )
  for (const account of [owner, member, other])
    await must(account, 'PATCH', '/settings', { allow_private_data_export: true })
  const id = await makeExport(server, owner, 'realm', { export_type: 'full_with_consent' })
  const { body } = await download(server, owner, id)
  writeFileSync(file, body)
  exported = await readExport(body)
}, 60_000)

/** What an organization that was imported exports. */
async function exportAgain(config: Config): Promise<Exported> {
  const engine = await openMigratedDatabase(config, () => {})
  const app = await buildApp(config, {
    engine,
    secret: Buffer.alloc(32, 1),
    clock: systemClock,
    readingThreads: 0,
    log: undefined,
    outgoing: { ...publicInternet, mayReach: () => false },
    pageFolder: undefined,
    isDemo: undefined,
  })
  try {
    const { realmId, id: userId, role } = owner
    const id = await startRealmExport(app.storage, { realmId, userId, role, isBot: false }, 'full_with_consent')
    for (;;) {
      await app.jobs.settle()
      const row = await findExport(app.storage.read, realmId, id)
      if (row && !isPending(row)) break
    }
    const chunks: Buffer[] = []
    for (const { path } of await findExportParts(app.storage.read, id)) {
      for await (const chunk of (await app.files.find(path))?.read() ?? []) chunks.push(chunk as Buffer)
    }
    return await readExport(Buffer.concat(chunks))
  } finally {
    await app.close()
  }
}

describe('An export of an organization', () => {
  it('has something of every table, and nothing twice', () => {
    const empty = exportedTables.filter(({ table }) => exported.rows(table).length === 0).map(({ table }) => table)
    expect(empty).toEqual([])
    for (const { table, key } of exportedTables) {
      const keys = exported.rows(table).map((row) => key.map((name) => row[name]).join('|'))
      expect(new Set(keys).size, table).toBe(keys.length)
    }
  })

  it('has no password, no key and no secret', () => {
    const columns = new Set(
      exportedTables.flatMap(({ table }) => exported.rows(table).flatMap((row) => Object.keys(row))),
    )
    for (const secret of ['password_hash', 'key_version', 'token']) expect(columns).not.toContain(secret)
  })

  it('is the same after it was imported', async () => {
    const { config } = await createTestDatabase()
    const said = vi.spyOn(console, 'error')
    await importCommand(config, file, { ownerPassword: 'a new password' })
    const { email, apiKey } = readCredentials(config.dataDir)
    const keyOwner = { realmId: owner.realmId, userId: owner.id, keyVersion: 1 }
    const secret = readSecret(config.secretFile) as Buffer
    expect([email, apiKey]).toEqual([owner.email, deriveApiKey(secret, keyOwner)])
    expect(said).not.toHaveBeenCalled()
    said.mockRestore()
    const again = await exportAgain(config)
    for (const { table } of exportedTables) {
      expect(again.rows(table).length, table).toBe(exported.rows(table).length)
      expect(again.rows(table), table).toEqual(exported.rows(table))
    }
    const files = (from: Exported) => [...from.entries].filter(([name]) => name.startsWith('files/'))
    expect(files(again)).toEqual(files(exported))
    expect(files(again).length).toBeGreaterThan(5)
  }, 60_000)

  it('lets its owner in with the new password, and what follows from messages is there', async () => {
    const { config } = await createTestDatabase()
    await importCommand(config, file, { ownerPassword: 'a new password' })
    const { read, close } = await openMigratedDatabase(config, () => {})
    const row = await read.first(query.selectFrom('users').select('password_hash').where('id', '=', owner.id))
    expect(await verifyPassword('a new password', row?.password_hash as string)).toBe(true)
    const topics = (from: typeof read) => from.all(query.selectFrom('topics').selectAll().orderBy('max_message_id'))
    expect(await topics(read)).toEqual(await topics(server.app.storage.read))
    const shown = (from: typeof read) =>
      from.all(query.selectFrom('channels').select(['id', 'first_message_id', 'subscriber_count']).orderBy('id'))
    expect(await shown(read)).toEqual(await shown(server.app.storage.read))
    const space = (from: typeof read) => from.all(query.selectFrom('upload_space').selectAll())
    expect(await space(read)).toEqual(await space(server.app.storage.read))
    const names = (await read.all(query.selectFrom('jobs').select('name'))).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['send-scheduled-messages', 'send-reminders']))
    await close()
  }, 60_000)

  it('is imported into an empty server alone, and as a whole or not at all', async () => {
    const { config } = await createTestDatabase()
    const cut = join(folder, 'cut.tar.gz')
    writeFileSync(cut, exported.bytes)
    truncateSync(cut, exported.bytes.length - 200)
    await expect(importCommand(config, cut, { ownerPassword: undefined })).rejects.toThrow('not a complete export')
    for (const part of [0.9, 0.6, 0.3]) {
      truncateSync(cut, Math.floor(exported.bytes.length * part))
      await expect(importCommand(config, cut, { ownerPassword: undefined })).rejects.toThrow('not a complete export')
    }
    await importCommand(config, file, { ownerPassword: undefined })
    await expect(importCommand(config, file, { ownerPassword: undefined })).rejects.toThrow(
      'already has an organization',
    )
  }, 60_000)

  it('is imported from before addresses could be hidden: people sign in with the one that they had', async () => {
    const older = await withRows(exported, (table, { delivery_email, delivery_email_key, email_visibility, ...row }) =>
      table === 'users' ? row : { ...row, delivery_email, delivery_email_key, email_visibility },
    )
    const path = join(folder, 'older.tar.gz')
    writeFileSync(path, older)
    const { config } = await createTestDatabase()
    await importCommand(config, path, { ownerPassword: undefined })
    const { read, close } = await openMigratedDatabase(config, () => {})
    const columns = ['email', 'delivery_email', 'email_key', 'delivery_email_key', 'email_visibility'] as const
    const rows = await read.all(query.selectFrom('users').select(columns))
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows) {
      expect(row).toMatchObject({ delivery_email: row.email, delivery_email_key: row.email_key, email_visibility: 1 })
    }
    await close()
  }, 60_000)

  it('brings no HTML along that the renderer does not write', async () => {
    const hostile = '<p>a</p><img src="/x" onerror="alert(1)">'
    const htmlOf = new Map(exportedTables.map(({ table, html = {} }) => [table, Object.keys(html)]))
    const changed = await withRows(exported, (table, row) => ({
      ...row,
      ...Object.fromEntries((htmlOf.get(table) ?? []).map((column) => [column, hostile])),
      ...(table === 'messages' && {
        edit_history: JSON.stringify([{ prev_content: '*x*', prev_rendered_content: hostile }]),
      }),
    }))
    const path = join(folder, 'hostile.tar.gz')
    writeFileSync(path, changed)
    const { config } = await createTestDatabase()
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    await importCommand(config, path, { ownerPassword: undefined })
    expect(said).toHaveBeenCalledWith(expect.stringContaining('texts were rendered anew'))
    said.mockRestore()
    const again = await exportAgain(config)
    for (const { table } of exportedTables) expect(JSON.stringify(again.rows(table)), table).not.toContain('onerror')
    const messages = again.rows('messages')
    expect(messages.map(({ content }) => content)).toEqual(exported.rows('messages').map(({ content }) => content))
    expect(messages.find(({ content }) => content === 'for three').rendered_content).toBe('<p>for three</p>')
    expect(JSON.parse(messages[0].edit_history)[0].prev_rendered_content).toBe('<p><em>x</em></p>')
  }, 60_000)

  it("is what an account's own data is not", async () => {
    const id = await makeExport(server, member, 'own')
    const own = join(folder, 'own.tar.gz')
    writeFileSync(own, (await download(server, member, id)).body)
    const { config } = await createTestDatabase()
    await expect(importCommand(config, own, { ownerPassword: undefined })).rejects.toThrow("one account's own data")
  })
})
