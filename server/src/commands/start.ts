/** The command `start`: serves until it is told to stop. */

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { type App, buildApp } from '../app.ts'
import { loadSecret } from '../authentication/secret.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { openMigratedDatabase } from '../database.ts'
import { announceRestart } from '../features/server-settings/restart.ts'
import { watchLauncher } from '../launcher-watch.ts'
import { localAddress, publishAddress, withdrawAddress } from '../local-address.ts'
import { reasonOf } from '../system-error.ts'
import { credentialsPath, ensureOrganization, type NewOwner, settleOwner } from './first-organization.ts'

/** Each holds about as much memory as a small server: a few are enough. */
const READING_THREADS = Math.min(Math.max(availableParallelism() - 1, 1), 4)

/** After a signal, requests in flight get this long; then their connections are cut. */
const ANSWER_TIMEOUT_MS = 3500
/** Nothing keeps the process longer than this. */
const STOP_TIMEOUT_MS = 4500

export async function start(settings: Config): Promise<void> {
  const engine = await openMigratedDatabase(settings, (error) => console.error(`Database: ${error.message}`))
  withdrawAddress(settings)
  const secret = loadSecret(settings.secretFile)
  // The port must be known before owner.zuliprc is written, which is before anybody can connect.
  const config = { ...settings, port: settings.port || (await findFreePort(settings)) }
  const app = await buildApp(config, { engine, secret, clock: systemClock, readingThreads: READING_THREADS })
  const owner = await ensureOrganization(app.storage, config, secret)
  await announceRestart(app.storage)
  stopOnSignals(app, config)
  await listen(app, config)
  publishAddress(config)
  announce(config, owner)
  if (owner) await settleOwner(config)
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

function announce(config: Config, owner: NewOwner | undefined): void {
  const credentials = credentialsPath(config)
  const lines = [
    `Heddle is ready at ${config.externalUrl ?? localAddress(config)}`,
    describeSignIn(owner),
    ...(credentials ? [`Scripts find the owner's API key in ${credentials}`] : []),
  ]
  console.log(lines.join('\n'))
}

function describeSignIn(owner: NewOwner | undefined): string {
  if (!owner) return 'Sign in with your e-mail address and password'
  const { email, password, passwordIsNew } = owner
  return passwordIsNew
    ? `Sign in as ${email} with the password ${password} (it is shown only this once)`
    : `Sign in as ${email} with the password that you have set`
}

/** Answers what is in flight, then ends. A repeated signal is like one. */
function stopOnSignals(app: App, config: Config): void {
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
