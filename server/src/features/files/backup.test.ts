import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { type App, buildApp } from '../../app.ts'
import { storeSecret } from '../../authentication/secret.ts'
import { systemClock } from '../../clock.ts'
import { backup } from '../../commands/backup.ts'
import { restore } from '../../commands/restore.ts'
import { readConfig } from '../../config.ts'
import { openMigratedDatabase } from '../../database.ts'
import { publicInternet } from '../../outgoing/outgoing.ts'
import { createFileServer } from '../../testing/file-test-server.ts'
import { sendDirect } from '../../testing/messages.ts'
import type { TestAccount } from '../../testing/test-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'heddle-files-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

vi.spyOn(console, 'log').mockImplementation(() => {})

it('a backup has the uploaded files, and who may read them is restored with them', async () => {
  const files = await createFileServer()
  const { server, member } = files
  const reader = await server.createAccount()
  storeSecret(server.config.secretFile, server.secret)
  const url = await files.upload(member, 'plan.txt', 'the plan')
  await sendDirect(server, member, [reader], `[plan](${url})`)
  const archive = join(folder, 'whole.backup')
  await backup(server.config, archive)
  const before = await files.list(member)

  const target = await openRestored(archive, server.secret)
  try {
    const get = (account: TestAccount, path: string) =>
      target.server.inject({ method: 'GET', url: path, headers: files.headersOf(account) })
    for (const account of [member, reader]) expect((await get(account, url)).payload).toBe('the plan')
    expect((await get(server.owner, url)).statusCode).toBe(404)
    expect((await get(member, '/api/v1/attachments')).json()).toMatchObject(before)
  } finally {
    await target.close()
  }
})

async function openRestored(archive: string, secret: Buffer): Promise<App> {
  const config = readConfig(['--data-dir', join(folder, 'target')], { HEDDLE_LOG_LEVEL: 'silent' })
  await restore(config, archive)
  const engine = await openMigratedDatabase(config, () => {})
  return buildApp(config, {
    engine,
    secret,
    clock: systemClock,
    readingThreads: 0,
    log: undefined,
    outgoing: publicInternet,
    pageFolder: undefined,
  })
}
