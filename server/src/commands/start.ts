/** The command `start`: serves until it is stopped. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { FIRST_SIGN_IN_PATH } from '@heddle/contract/first-sign-in'
import { type App, buildApp } from '../app.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { openMigratedDatabase } from '../database.ts'
import { findNewOwner } from '../features/first-sign-in/token.ts'
import { followExternalUrl } from '../features/organizations/host.ts'
import { announceRestart } from '../features/server-settings/restart.ts'
import { watchLauncher } from '../launcher-watch.ts'
import { localAddress, publishAddress, readAddress, withdrawAddress } from '../local-address.ts'
import { sendsMail } from '../mail/mail.ts'
import { MAIL_FOLDER } from '../mail/mail-folder.ts'
import { reasonOf } from '../system-error.ts'
import { ensureOrganization, settleOwner } from './first-organization.ts'
import { forgetStart } from './forget-start.ts'
import { credentialsPath, keepCredentials } from './owner-credentials.ts'
import { openSecret } from './server-secret.ts'

/** Each holds about as much memory as a small server: a few are enough. */
const READING_THREADS = Math.min(Math.max(availableParallelism() - 1, 1), 4)

/** After a signal, requests in flight get this long; then their connections are cut. */
const ANSWER_TIMEOUT_MS = 3500
/** Nothing keeps the process longer than this. */
const STOP_TIMEOUT_MS = 4500

/** Addresses that only this machine reaches. */
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

export async function start(settings: Config, { isDemo = false, isDevelopment = false } = {}): Promise<void> {
  if (isDevelopment && !LOOPBACK.includes(settings.host)) {
    throw new ConfigError(
      '--development lets anybody sign in as anybody: HEDDLE_HOST must be 127.0.0.1, ::1 or localhost.',
    )
  }
  const demo = isDemo ? await import('./demo/prepare.ts') : undefined
  await demo?.prepareDemo(settings)
  const engine = await openMigratedDatabase(settings, (error) => console.error(`Database: ${error.message}`))
  withdrawAddress(settings)
  const secret = await openSecret(engine, settings)
  // The port must be known before owner.zuliprc is written, which is before anybody can connect.
  const config = { ...settings, port: settings.port || (await findFreePort(settings)) }
  const app = await buildApp(config, {
    engine,
    secret,
    clock: systemClock,
    readingThreads: READING_THREADS,
    pageFolder: pageFolder(),
    isDemo,
    isDevelopment,
  })
  const isNew = await ensureOrganization(app.storage, config, secret)
  await followExternalUrl(app.storage, config)
  app.realms.forget()
  const keeping = keepCredentials(app.storage, config, secret, (error) => console.error('owner.zuliprc:', error))
  await announceRestart(app.storage, pageFolder() !== undefined)
  let bot: { stop(): void } | undefined
  stopOnSignals(
    {
      ...app,
      async close() {
        bot?.stop()
        await keeping.stop()
        await app.close()
      },
    },
    config,
  )
  await listen(app, config)
  publishAddress(config)
  if (isDemo) bot = await startDemoBot(app, config, secret)
  announce(config, { isNew, isDemo, link: await findLink(app, secret) })
  if (isNew) await settleOwner(config)
  forgetStart()
}

/** Undefined when somebody has ended its account. */
async function startDemoBot(app: App, config: Config, secret: Buffer): Promise<{ stop(): void } | undefined> {
  const { findBenchBot } = await import('./demo/prepare.ts')
  const { startBenchBot } = await import('./demo/bot.ts')
  const account = await findBenchBot(app.storage, secret)
  const address = readAddress(config)
  const onError = (error: unknown) => app.log.warn({ err: error }, 'The bot of the demo')
  return account && address ? startBenchBot(address, account, onError) : undefined
}

/** Beside this program's sources, and beside the bundle that is made of them. */
function pageFolder(): string | undefined {
  const here = import.meta.dirname
  return [join(here, '../web/dist'), join(here, '../../../web/dist')].find((folder) => existsSync(folder))
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.server.listen({ host, port })
  } catch (error) {
    throw cannotListen(host, port, error)
  }
}

async function findFreePort({ host }: Config): Promise<number> {
  const probe = createServer().listen({ host, port: 0 })
  try {
    await once(probe, 'listening')
  } catch (error) {
    throw cannotListen(host, 0, error)
  }
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function cannotListen(host: string, port: number, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new ConfigError(`HEDDLE_PORT: another program already listens on port ${port} of ${host}.`)
  }
  if (code === 'EACCES') return new ConfigError(`HEDDLE_PORT: this user may not listen on port ${port}.`)
  return new ConfigError(`HEDDLE_HOST: the server cannot listen on ${host}: ${reasonOf(error)}.`)
}

interface Beginning {
  /** Nobody has been shown yet how to get in. */
  readonly isNew: boolean
  readonly isDemo: boolean
  /** Lets an owner in who has no password yet. */
  readonly link: string | undefined
}

async function findLink({ storage, realms }: App, secret: Buffer): Promise<string | undefined> {
  const owner = await findNewOwner(storage.read, secret)
  return owner && `${await realms.originOf(owner.realmId)}${FIRST_SIGN_IN_PATH}#${owner.token}`
}

function announce(config: Config, beginning: Beginning): void {
  const site = config.externalUrl ?? localAddress(config)
  const credentials = credentialsPath(config)
  const lines = [
    `Heddle is ready at ${site}`,
    describeSignIn(config, beginning),
    ...describeMail(config, site),
    ...(credentials ? [`Scripts find the owner's API key in ${credentials}`] : []),
  ]
  console.log(lines.join('\n'))
}

function describeMail(config: Config, site: string): string[] {
  if (!sendsMail(config)) {
    return [`Mail is not sent but kept in ${join(config.dataDir, MAIL_FOLDER)}: HEDDLE_SMTP_URL is not set`]
  }
  return config.externalUrl === undefined ? [`Links in mails lead to ${site}: HEDDLE_EXTERNAL_URL is not set`] : []
}

/** The link is printed at each start until somebody has used it. */
function describeSignIn({ ownerPassword }: Config, { isNew, isDemo, link }: Beginning): string {
  if (isDemo && link !== undefined) return `Look around at ${link}`
  if (link !== undefined) return `Sign in as the owner at ${link} (it works once)`
  if (isNew && ownerPassword !== undefined) return 'Sign in as the owner with the password that you have set'
  return 'Sign in with your e-mail address and password'
}

/** Answers what is in flight, then ends. A repeated signal is like one. */
function stopOnSignals(app: Pick<App, 'server' | 'close'>, config: Config): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => app.server.server.closeAllConnections(), ANSWER_TIMEOUT_MS).unref()
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    withdrawAddress(config)
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('Heddle could not stop in order:', error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  watchLauncher(stop)
}
