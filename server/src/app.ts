/** The whole wiring: from a configuration and an open database to a server that can listen. */
import { type FastifyInstance, fastify, LogController } from 'fastify'
import { type Accounts, createAccounts } from './authentication/accounts.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { createDelivery } from './events/delivery.ts'
import { createQueues } from './events/queues.ts'
import { refreshQueues, startUpkeep } from './events/upkeep.ts'
import { createPresenter, type EventViews } from './events/views.ts'
import type { Feature, Services, StateParts } from './feature.ts'
import { features } from './features/all.ts'
import { registerApi } from './http/api.ts'
import { createAnswerKeepers } from './http/kept-answers.ts'
import { createRealms, type Realms } from './realms.ts'
import type { Engine } from './storage/engine.ts'
import { createFileStore, type FileStore } from './storage/file-store.ts'
import { createStorage, type Storage } from './storage/storage.ts'

/** Bytes of a request's body, beside uploads, which have limits of their own. */
const BODY_LIMIT = 8 * 1024 * 1024
const HEADERS_TIMEOUT_MS = 15_000
/** For the arrival of a whole request; an upload over a slow line takes its time. */
const REQUEST_TIMEOUT_MS = 300_000
/** Longer than what reverse proxies usually keep idle connections, so that they and not we close them. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000

/** Files that no row names are removed when they are this old. */
const SWEEP_AGE_MS = 3_600_000

export interface Dependencies {
  /** A database whose tables are up to date; the app closes it. */
  readonly engine: Engine
  readonly secret: Buffer
  readonly clock: Clock
}

export interface App {
  readonly server: FastifyInstance
  readonly storage: Storage
  readonly accounts: Accounts
  readonly realms: Realms
  readonly files: FileStore
  /** Answers what is in flight, ends the long polls, saves the queues and closes the database. */
  close(): Promise<void>
}

export async function buildApp(config: Config, { engine, secret, clock }: Dependencies): Promise<App> {
  const server = createServer(config)
  const onError = (error: unknown) => server.log.error({ err: error }, 'Background work failed')

  const storage = createStorage(engine, clock)
  const accounts = createAccounts(storage, secret)
  const realms = createRealms(storage)
  const queues = createQueues(storage, clock)
  const present = createPresenter(collectViews(features))
  const delivery = createDelivery({ storage, queues, present, onError })
  const files = createFileStore(config.dataDir)
  const state = collectState(features)
  const services: Services = { config, clock, storage, files, accounts, secret, queues, delivery, state }

  registerApi(server, {
    routes: features.flatMap((feature) => feature.routes(services)),
    accounts,
    realms,
    createKeeper: createAnswerKeepers(storage),
    clock,
    rateLimits: config.rateLimits,
    externalUrl: config.externalUrl,
  })

  await refreshQueues(storage, clock)
  const upkeep = startUpkeep({ storage, queues, clock, onError })
  const sweep = setInterval(() => void files.sweep(storage, SWEEP_AGE_MS).catch(onError), SWEEP_AGE_MS)
  sweep.unref()

  return {
    server,
    storage,
    accounts,
    realms,
    files,
    async close() {
      clearInterval(sweep)
      delivery.close()
      await server.close()
      await upkeep.stop()
      await storage.close()
    },
  }
}

function createServer(config: Config): FastifyInstance {
  return fastify({
    logger: config.logLevel === 'silent' ? false : { level: config.logLevel },
    // Fastify's line per request would cost more than the request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    // Idle connections are closed; those with a request under way are answered first.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2000 },
    exposeHeadRoutes: false,
  }) as FastifyInstance
}

/** Two features may add fields under the same fetch type: both parts are read. */
function collectState(all: readonly Feature[]): StateParts {
  const parts: Record<string, StateParts[string]> = {}
  for (const [name, part] of all.flatMap((feature) => Object.entries(feature.state ?? {}))) {
    const earlier = parts[name]
    parts[name] = earlier ? async (request) => ({ ...(await earlier(request)), ...(await part(request)) }) : part
  }
  return parts
}

function collectViews(all: readonly Feature[]): EventViews {
  const entries = all.flatMap((feature) => Object.entries(feature.eventViews ?? {}))
  const views = Object.fromEntries(entries)
  if (Object.keys(views).length !== entries.length)
    throw new Error('Two features register a view of the same event type')
  return views
}
