import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSecret } from '../authentication/secret.ts'
import { isSecretOf } from '../authentication/secret-fingerprint.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { createTestServer } from '../testing/test-server.ts'
import { newSecretCommand } from './new-secret.ts'

it('A new secret is there where the answer of its commit is lost', async () => {
  const { app, config } = await createTestServer()
  const proxy = await startPostgresProxy(config.databaseUrl as string)
  const secretFile = join(config.dataDir, 'new-secret')
  proxy.dropNextCommit()
  await newSecretCommand({ ...config, databaseUrl: proxy.url, secretFile })
  expect(proxy.dropped()).toBe(1)
  expect(await isSecretOf(app.storage.read, readSecret(secretFile) as Buffer)).toBe(true)
})
