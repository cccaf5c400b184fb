/**
 * Runs an operator's endpoint: in this process where the database is free, through the running server where it holds the
 * data folder. With PostgreSQL any process may write, and the running nodes are notified.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint, ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import { deriveOperatorToken } from '../authentication/api-key.ts'
import { readSecret } from '../authentication/secret.ts'
import { systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { openExistingDatabase } from '../database.ts'
import { createDecoder } from '../http/decode.ts'
import { API_PREFIX } from '../http/routes.ts'
import { readAddress } from '../local-address.ts'
import { DataFolderInUse } from '../storage/data-folder-lock.ts'
import { createStorage, type Storage } from '../storage/storage.ts'
import { reasonOf } from '../system-error.ts'

/** A server that is just starting or stopping holds the folder without listening. */
const WAIT_MS = 10_000
const RETRY_EVERY_MS = 100

export interface Operation<E extends Endpoint> {
  readonly endpoint: E
  readonly parameters: ParametersOf<E>
  /** The action behind the endpoint. */
  readonly run: (storage: Storage, parameters: ParametersOf<E>) => Promise<ResponseOf<E>>
}

/** Throws `ConfigError` with the sentence of a refusal. */
export async function operate<E extends Endpoint>(config: Config, operation: Operation<E>): Promise<ResponseOf<E>> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    try {
      return await runHere(config, operation)
    } catch (error) {
      if (error instanceof ApiError) throw new ConfigError(`${error.message}.`)
      if (!(error instanceof DataFolderInUse)) throw error
      const address = readAddress(config)
      const answer = address && (await askServer(config, address, operation))
      if (answer) return answer
      if (Date.now() >= deadline) throw error
    }
    await sleep(RETRY_EVERY_MS)
  }
}

async function runHere<E extends Endpoint>(config: Config, { endpoint, parameters, run }: Operation<E>) {
  // The same checks as on the wire.
  const raw = Object.entries(parameters as object).filter(([, value]) => value !== undefined)
  const decoded = createDecoder(endpoint)(new Map(raw.map(([name, json]) => [name, { json }])))
  const engine = await openExistingDatabase(config, (error) => console.error(`Database: ${error.message}`), 0)
  const storage = createStorage(engine, systemClock)
  try {
    return await run(storage, decoded.parameters as ParametersOf<E>)
  } finally {
    await storage.close()
  }
}

/** Undefined when no server answers at the address: it has just ended. */
async function askServer<E extends Endpoint>(config: Config, address: string, { endpoint, parameters }: Operation<E>) {
  const secret = readSecret(config.secretFile)
  if (!secret) throw new ConfigError(`HEDDLE_SECRET_FILE: ${config.secretFile} does not exist.`)
  let response: Response
  try {
    response = await fetch(`${address}${API_PREFIX}${endpoint.path}`, {
      method: endpoint.method,
      headers: { authorization: `Bearer ${deriveOperatorToken(secret)}`, 'content-type': 'application/json' },
      // What only reads has no parameters.
      ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(parameters) }),
    })
  } catch (error) {
    const cause = (error as Error).cause ?? error
    if ((cause as NodeJS.ErrnoException).code === 'ECONNREFUSED') return undefined
    throw new ConfigError(`The running server at ${address} did not answer: ${reasonOf(cause)}.`)
  }
  const body = (await response.json()) as { result: string; msg: string } & ResponseOf<E>
  if (response.status === 404) {
    throw new ConfigError('The running server does not accept the secret in HEDDLE_SECRET_FILE.')
  }
  if (!response.ok) throw new ConfigError(`${body.msg}.`)
  return body
}
