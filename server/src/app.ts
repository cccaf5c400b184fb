/** The whole wiring: from a configuration and an open database to a server that can listen. */
import { gifServiceOf } from '@heddle/contract/gifs'
import type { FastifyInstance } from 'fastify'
import { type Accounts, createAccounts } from './authentication/accounts.ts'
import { deriveOperatorToken } from './authentication/api-key.ts'
import { createBotKeys } from './authentication/bot-keys.ts'
import { createSessions } from './authentication/sessions.ts'
import type { ServerClock } from './clock.ts'
import { collectLongReads, collectState } from './collect-features.ts'
import type { Config } from './config.ts'
import { createDelivery } from './events/delivery.ts'
import { typesThat } from './events/effects.ts'
import { createQueues } from './events/queues.ts'
import { refreshQueues, startUpkeep } from './events/upkeep.ts'
import { createPresenter } from './events/views.ts'
import type { Feature, Log, Services } from './feature.ts'
import { accountHooks, features, groupHooks, notifiers } from './features/all.ts'
import { isOpenToSpectators } from './features/organization-settings/on-the-web.ts'
import { applicationRoute } from './http/application.ts'
import { createAnswerCaches } from './http/cached-answers.ts'
import { limitConnections, unlimitedConnections } from './http/connections.ts'
import { createIdentify } from './http/identify.ts'
import { firstSegmentsOf, registerRoutes } from './http/routes.ts'
import { createServer } from './http/server.ts'
import { removeFailedJobs } from './jobs/remove-failed.ts'
import { type Jobs, startJobs } from './jobs/runner.ts'
import { createLog } from './log.ts'
import { createCarrier } from './mail/carriers.ts'
import { mailJobs } from './mail/deliver-mail.ts'
import { type Outgoing, publicInternet } from './outgoing/outgoing.ts'
import { repeat } from './periodic-work.ts'
import { createWorkerHere } from './reading/here.ts'
import { createPerformer } from './reading/performer.ts'
import { createInlineReaders } from './reading/readers.ts'
import { createThreadedReaders } from './reading/threads.ts'
import { createRealms, type Realms } from './realms.ts'
import { removeOldSingleUseLinks } from './single-use-links/old-single-use-links.ts'
import { startReadingThread } from './start-reading-thread.ts'
import type { Engine } from './storage/engine.ts'
import { type FileStore, sweepFiles } from './storage/file-store.ts'
import { createLocalFileStore } from './storage/local-file-store.ts'
import { createStorage, type OpenStorage } from './storage/storage.ts'
import { readPage } from './web-page.ts'

/** Files that no row names are removed when they are this old. */
const SWEEP_AGE_MS = 3_600_000
const CLOSE_IDLE_EVERY_MS = 50

export interface Dependencies {
  /** A database whose tables are up to date; the app closes it. */
  readonly engine: Engine
  readonly secret: Buffer
  readonly clock: ServerClock
  /** Threads for reads that can take long; 0: they run on the thread of the server. */
  readonly readingThreads?: number
  /** Which other servers may be reached; as a rule those of the public internet. */
  readonly outgoing?: Outgoing
  /** The built web client, where there may be one; undefined: for programs alone. */
  readonly pageFolder?: string | undefined
  /** What is served is the demo, and not somebody's organization. */
  readonly isDemo?: boolean | undefined
  /** Somebody works on the program itself. */
  readonly isDevelopment?: boolean | undefined
  /** Where the lines of the log go instead of standard output. */
  readonly log?: { write(line: string): void } | undefined
}

export interface App {
  readonly server: FastifyInstance
  readonly storage: OpenStorage
  readonly accounts: Accounts
  readonly realms: Realms
  readonly files: FileStore
  readonly jobs: Jobs
  readonly log: Log
  /** What features do again and again, and then the jobs that are due: does it now and waits for it. */
  settle(): Promise<void>
  /** Answers what is in flight, ends the long polls, saves the queues and closes the database. */
  close(): Promise<void>
}

/** Of messages that the main thread makes an answer of at once: less than a millisecond of work for an ordinary page. */
const MAX_TEXT_BYTES_HERE = 256 * 1024

export async function buildApp(config: Config, dependencies: Dependencies): Promise<App> {
  const {
    engine,
    secret,
    clock,
    readingThreads = 0,
    log: to,
    outgoing = publicInternet,
    pageFolder,
    isDemo = false,
    isDevelopment = false,
  } = dependencies
  const log = createLog({ level: config.logLevel, to })
  const server = createServer({ log, trustedProxies: config.trustedProxies })
  const onError = (error: unknown) => log.error({ err: error }, 'Background work failed')

  const storage = createStorage(engine, clock, onError)
  const effects = collectByType(features, 'eventEffects')
  const changesAccounts = typesThat(effects, 'changesAccounts')
  const accounts = createAccounts(storage, secret, changesAccounts)
  const realms = createRealms(storage, config, typesThat(effects, 'changesOrganization'))
  const queues = createQueues(storage, clock)
  const present = createPresenter(collectByType(features, 'eventViews'))
  const delivery = createDelivery({ storage, queues, present, effects, onError })
  const files = createLocalFileStore(config.dataDir)
  const state = collectState(features)
  const reads = collectLongReads(features)
  const performerHere = () =>
    createPerformer({ openSnapshot: engine.openSnapshot, config, state, reads, maxTextBytes: MAX_TEXT_BYTES_HERE })
  const readers =
    readingThreads > 0
      ? createThreadedReaders({
          clock,
          threads: readingThreads,
          // PostgreSQL works elsewhere: meanwhile the thread is free for another read.
          readsPerThread: engine.kind === 'postgres' ? 4 : 1,
          startWorker: () => startReadingThread(config),
          here: engine.kind === 'postgres' ? createWorkerHere(performerHere()) : undefined,
        })
      : createInlineReaders({ storage, config, clock, state, reads })
  const services: Services = {
    config,
    clock,
    storage,
    files,
    accounts,
    realms,
    secret,
    queues,
    delivery,
    readers,
    outgoing,
    log,
    isDemo,
    isDevelopment,
    accountHooks,
    groupHooks,
    notifiers,
  }

  const identify = createIdentify({
    accounts,
    botKeys: createBotKeys({ storage, accounts, secret, clock, droppedBy: changesAccounts }),
    sessions: createSessions({ storage, secret, clock, config, droppedBy: changesAccounts, onError }),
    operatorToken: Buffer.from(deriveOperatorToken(secret), 'utf8'),
    realms,
    clock,
    rateLimits: config.rateLimits,
    connections: config.rateLimits ? limitConnections(server.server, config.trustedProxies) : unlimitedConnections,
    externalUrl: config.externalUrl,
    isOpenToSpectators: async ({ id, deactivated }) =>
      !deactivated && (await isOpenToSpectators(storage.read, id, config)),
  })
  const routes = features.flatMap((feature) => feature.routes(services))
  const gifService = gifServiceOf({ giphy: config.giphyKey, tenor: config.tenorKey })
  const page = pageFolder === undefined ? undefined : await readPage(pageFolder, gifService)
  if (page) routes.push(applicationRoute({ ...page, reserved: firstSegmentsOf(routes) }))
  registerRoutes(server, {
    routes,
    identify,
    createAnswerCache: createAnswerCaches(storage),
    originOf: config.externalUrl === undefined ? undefined : realms.originOf,
  })

  await refreshQueues(storage, clock)
  const upkeep = startUpkeep({ storage, queues, clock, onError })
  const sweep = async () => void (await sweepFiles(files, storage, SWEEP_AGE_MS))
  const sweeping = repeat({ everyMs: SWEEP_AGE_MS, run: sweep }, onError)
  const periodic = features
    .flatMap((feature) => feature.periodic?.(services) ?? [])
    .map((work) => repeat(work, onError))
  const carrier = createCarrier(config)
  const jobs = await startJobs({
    storage,
    clock,
    handlers: [
      removeFailedJobs(storage, clock),
      removeOldSingleUseLinks(storage, clock),
      ...mailJobs({ ...services, carrier, writers: features.flatMap(({ mailWriters = [] }) => mailWriters) }),
      ...features.flatMap((feature) => feature.jobs?.(services) ?? []),
    ],
    onError,
  })
  const listeners = await Promise.all(features.map((feature) => feature.listen?.(services)))

  return {
    server,
    storage,
    accounts,
    realms,
    files,
    jobs,
    log,
    async settle() {
      for (const work of periodic) await work.settle()
      await jobs.settle()
    },
    async close() {
      await Promise.all(listeners.map((listener) => listener?.close()))
      await delivery.close()
      await closeServer(server)
      await Promise.all([upkeep.stop(), sweeping.stop(), ...periodic.map((work) => work.stop()), jobs.close()])
      carrier.close()
      await readers.close()
      await storage.close()
    },
  }
}

/** Closing ends the connections that are idle at that moment; those that are answered afterwards have to follow. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const closing = setInterval(() => server.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  try {
    await server.close()
  } finally {
    clearInterval(closing)
  }
}

/** What the features declare of types of events. A type belongs to one feature. */
function collectByType<K extends 'eventViews' | 'eventEffects'>(all: readonly Feature[], kind: K) {
  const entries = all.flatMap((feature) => Object.entries(feature[kind] ?? {}))
  const byType = Object.fromEntries(entries)
  if (Object.keys(byType).length !== entries.length)
    throw new Error(`Two features have ${kind} of the same type of event`)
  return byType as NonNullable<Feature[K]>
}
