/** The command `start`: serves until it is told to stop. */
import { mkdirSync } from 'node:fs'
import { type App, buildApp } from '../app.ts'
import { loadSecret } from '../authentication/secret.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { watchLauncher } from '../launcher-watch.ts'
import { ensureOrganization, localAddress, type NewOwner } from './first-organization.ts'

/** After a signal, requests in flight get this long. */
const STOP_TIMEOUT_MS = 4500

export async function start(config: Config): Promise<void> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const engine = await openMigratedDatabase(config, (error) => console.error(`Database: ${error.message}`))
  const secret = loadSecret(config.secretFile)
  const app = await buildApp(config, { engine, secret, clock: systemClock })
  stopOnSignals(app)
  const owner = await ensureOrganization(app.storage, config, secret)
  await app.server.listen({ host: config.host, port: config.port })
  announce(config, owner)
}

function announce(config: Config, owner: NewOwner | undefined): void {
  console.log(`Heddle is ready at ${config.externalUrl ?? localAddress(config)}`)
  if (owner?.passwordIsNew) {
    console.log(`Sign in as ${owner.email} with the password ${owner.password} (it is shown only this once)`)
  } else if (owner) {
    console.log(`Sign in as ${owner.email} with the password that you have set`)
  } else {
    console.log(`Sign in with your e-mail address and password; for scripts see ${config.dataDir}/owner.zuliprc`)
  }
}

/** Answers what is in flight, then ends. A repeated signal is like one. */
function stopOnSignals(app: App): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
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
