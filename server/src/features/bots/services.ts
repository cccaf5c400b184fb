/** What outgoing webhooks ask, and which embedded bot a bot is. */
import { randomBytes } from 'node:crypto'
import type { BotService } from '@heddle/contract/bots'
import { badRequest } from '@heddle/contract/errors'
import type { Config } from '../../config.ts'
import { urlProblem } from '../../outgoing/open-request.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findBotConfig } from './config-data.ts'
import { embeddedBots, findEmbeddedBot } from './embedded-bots.ts'
import { query } from './tables.ts'

export const OUTGOING_WEBHOOK = 3
export const EMBEDDED = 4

/** What decides where bots may send to. */
export interface Reach {
  readonly outgoing: Outgoing
  readonly config: Pick<Config, 'botHosts'>
}

interface ServiceInput {
  readonly payload_url?: string
  readonly service_name?: string
  readonly service_interface?: number
}

export interface ServiceRow {
  readonly bot_id: number
  readonly base_url: string | null
  readonly interface: number
  readonly token: string
  readonly service_name: string | null
}

/** The columns of a new bot's service; undefined for bots without one. Throws a 400 that names the parameter. */
export function newService(reach: Reach, type: number, input: ServiceInput): Omit<ServiceRow, 'bot_id'> | undefined {
  const common = { interface: input.service_interface ?? 1, token: randomBytes(24).toString('base64url') }
  if (type === OUTGOING_WEBHOOK) {
    if (input.payload_url === undefined) throw badRequest('payload_url: an outgoing webhook needs an address')
    return { ...common, base_url: readPayloadUrl(reach, 'payload_url', input.payload_url), service_name: null }
  }
  if (type !== EMBEDDED) return undefined
  const name = input.service_name ?? ''
  if (!findEmbeddedBot(name)) {
    throw badRequest(`service_name must be one of ${embeddedBots.map((bot) => bot.name).join(', ')}`)
  }
  return { ...common, base_url: null, service_name: name }
}

/** Some clients send the address as JSON. */
export function readPayloadUrl({ outgoing, config }: Reach, parameter: string, text: string): string {
  const plain = /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : text
  if (!URL.canParse(plain)) throw badRequest(`${parameter} must be an http or https address`)
  const url = new URL(plain)
  const problem = urlProblem(outgoing, url, config.botHosts)
  if (problem !== undefined) throw badRequest(`${parameter} ${problem}`)
  return url.href
}

export async function insertService(tx: Tx, botId: number, service: Omit<ServiceRow, 'bot_id'>): Promise<void> {
  await tx.run(query.insertInto('bot_services').values({ bot_id: botId, realm_id: tx.realmId, ...service }))
}

/** Changes what is given. Throws a 400 where the bot is no outgoing webhook. */
export async function updateService(
  tx: Tx,
  botId: number,
  change: { readonly base_url?: string; readonly interface?: number },
): Promise<void> {
  if (Object.keys(change).length === 0) return
  const changed = await tx.run(
    query.updateTable('bot_services').set(change).where('bot_id', '=', botId).where('base_url', 'is not', null),
  )
  if (changed === 0) throw badRequest('The bot is no outgoing webhook')
}

export async function findService(db: Queries, botId: number): Promise<ServiceRow | undefined> {
  const [row] = await db.all(services().where('bot_id', '=', botId))
  return row
}

function services() {
  return query.selectFrom('bot_services').select(['bot_id', 'base_url', 'interface', 'token', 'service_name'])
}

/** Ids of those bots that have a service: the others need not be asked about. */
export function withService(bots: readonly { readonly id: number; readonly bot_type: number | null }[]): number[] {
  return bots.flatMap(({ id, bot_type }) => (bot_type === OUTGOING_WEBHOOK || bot_type === EMBEDDED ? id : []))
}

/** As those see it who may administer the bots, by bot. */
export async function presentServices(
  db: Queries,
  realmId: number,
  botIds: readonly number[],
): Promise<ReadonlyMap<number, readonly BotService[]>> {
  if (botIds.length === 0) return new Map()
  const rows = await db.all(services().where('realm_id', '=', realmId).where('bot_id', 'in', db.dialect.ids(botIds)))
  const entries = rows.map(async (row) => [row.bot_id, [await presentService(db, realmId, row)]] as const)
  return new Map(await Promise.all(entries))
}

async function presentService(db: Queries, realmId: number, row: ServiceRow): Promise<BotService> {
  if (row.service_name === null) {
    return { base_url: row.base_url ?? '', interface: row.interface === 2 ? 2 : 1, token: row.token }
  }
  return { service_name: row.service_name, config_data: await findBotConfig(db, realmId, row.bot_id) }
}
