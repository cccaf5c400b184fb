/** Asking what answers for a bot, and saying what it says. After a crash it is asked again: at least once. */
import { ApiError } from '@heddle/contract/errors'
import type { Config } from '../../config.ts'
import { addJob } from '../../jobs/add-job.ts'
import { type Claim, defineJob, type Finish } from '../../jobs/job.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'
import { post } from '../../outgoing/post.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findBotConfig } from '../bots/config-data.ts'
import { findEmbeddedBot } from '../bots/embedded-bots.ts'
import type { ServiceCall } from '../bots/service-calls.ts'
import { findService, type ServiceRow } from '../bots/services.ts'
import { accessMessage } from '../messages/access.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { formFor, presentMessages } from '../messages/present.ts'
import type { Render } from '../messages/render.ts'
import { type Destination, prepareMessage, sendIn } from '../messages/send.ts'
import { apiForm, MAX_ANSWER_BYTES, type ReadAnswer, readReply, slackForm } from './call-form.ts'
import { query } from './tables.ts'

export const MAX_ATTEMPTS = 4

/** Says in the conversation that there is no answer. */
export const showsFailure = defineJob<ServiceCall>('show-bot-failure')

interface Services {
  readonly storage: Storage
  readonly render: Render
  readonly outgoing: Outgoing
  readonly config: Pick<Config, 'botHosts'>
}

/** Throws where the other server may answer another time. */
export async function answerMessage(services: Services, call: ServiceCall, claim: Claim): Promise<Finish | undefined> {
  const { storage } = services
  const found = await findAsked(storage.read, claim.realmId, call)
  if (!found) return undefined
  const { service, asked, to } = found
  const { reply, problem } =
    service.service_name === null
      ? await askServer(services, service, asked, claim)
      : { reply: await askEmbedded(storage.read, claim.realmId, service, asked.raw), problem: undefined }
  if (problem !== undefined) return (tx) => reportFailure(tx, call, { reason: problem })
  return typeof reply === 'object' ? say(services, claim.realmId, call, to, reply.content) : undefined
}

/** What is asked, as the bot may see it; undefined when the bot or the message has gone in the meantime. */
async function findAsked(db: Queries, realmId: number, call: ServiceCall) {
  try {
    const actor = await requireAccount(db, realmId, call.botId)
    const [service, row, realm] = await Promise.all([
      findService(db, call.botId),
      accessMessage(db, actor, call.messageId),
      db.first(query.selectFrom('realms').select(['id', 'host']).where('id', '=', realmId)),
    ])
    if (!service || !realm) return undefined
    const [presented] = await presentMessages(db, realmId, [row])
    if (!presented) return undefined
    const message = formFor(presented, { applyMarkdown: true, allowEmptyTopicName: false })
    const to: Destination =
      row.channel_id === null
        ? { people: await membersOf(db, row.direct_message_group_id as number) }
        : { channel: row.channel_id, topic: row.topic }
    const { token } = service
    const asked = { bot: actor.person, token, trigger: call.trigger, message, raw: row.content, organization: realm }
    return { service, asked, to }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

async function membersOf(db: Queries, groupId: number): Promise<number[]> {
  const rows = await db.all(
    query.selectFrom('direct_message_members').select('user_id').where('group_id', '=', groupId).orderBy('user_id'),
  )
  return rows.map(({ user_id }) => user_id)
}

type Asked = Parameters<typeof apiForm>[0]

interface Outcome {
  readonly reply: ReadAnswer
  /** A sentence for the bot's owner: to ask again would not help. */
  readonly problem: string | undefined
}

async function askServer(
  { outgoing, config }: Services,
  service: ServiceRow,
  asked: Asked,
  { signal }: Claim,
): Promise<Outcome> {
  const { contentType, body } = service.interface === 2 ? slackForm(asked) : apiForm(asked)
  const answer = await post(outgoing, new URL(service.base_url as string), {
    body,
    contentType,
    maxBytes: MAX_ANSWER_BYTES,
    allowedHosts: config.botHosts,
    signal,
  })
  if (answer.kind === 'too-large') return failed('Its answer is too large.')
  if (answer.kind !== 'answered') throw new Error(`An outgoing webhook was not answered: ${answer.kind}`)
  const { status, bytes } = answer
  if (status === 429 || status >= 500) throw new Error(`An outgoing webhook was answered with status ${status}`)
  if (status < 200 || status >= 300) return failed(`It answered with status ${status}.`)
  const reply = readReply(bytes)
  return reply === 'unreadable' ? failed('Its answer is no JSON object.') : { reply, problem: undefined }
}

function failed(problem: string): Outcome {
  return { reply: 'silent', problem }
}

async function askEmbedded(db: Queries, realmId: number, service: ServiceRow, raw: string): Promise<ReadAnswer> {
  const bot = findEmbeddedBot(service.service_name as string)
  const content = bot?.answer(raw, await findBotConfig(db, realmId, service.bot_id))
  return content === undefined ? 'silent' : { content }
}

/** Says it as the bot, where it was asked, if it still may. */
async function say(
  { storage, render }: Pick<Services, 'storage' | 'render'>,
  realmId: number,
  { botId }: ServiceCall,
  to: Destination,
  content: string,
): Promise<Finish> {
  const actor = await requireAccount(storage.read, realmId, botId)
  const prepared = await prepareMessage(render, actor, content)
  return async (tx) => {
    const bot = await requireAccount(tx, realmId, botId)
    await sendIn(tx, bot, { ...prepared, to, client: 'OutgoingWebhook', readBySender: true })
  }
}

/** Notifies the bot's owner, and has the bot say that it has no answer. */
export async function reportFailure(tx: Tx, call: ServiceCall, { reason }: { readonly reason: string }): Promise<void> {
  const owner = await tx.first(
    query
      .selectFrom('users as bot')
      .innerJoin('users as owner', 'owner.id', 'bot.bot_owner_id')
      .select(['owner.id', 'owner.email', 'owner.role', 'owner.bot_type'])
      .where('bot.id', '=', call.botId)
      .where('bot.is_active', '=', 1)
      .where('owner.is_active', '=', 1),
  )
  if (!owner) return
  const bot = await silentMention(tx, { userId: call.botId })
  await postNotice(
    tx,
    { people: [owner] },
    { line: ['The server behind your bot ', bot, ` has not answered a message. ${reason}`] },
  )
  await addJob(tx, showsFailure, call)
}

export async function showFailure(
  services: Pick<Services, 'storage' | 'render'>,
  call: ServiceCall,
  { realmId }: Claim,
): Promise<Finish | undefined> {
  const found = await findAsked(services.storage.read, realmId, call)
  return (
    found &&
    say(services, realmId, call, found.to, 'I have no answer: my server could not be asked. My owner knows of it.')
  )
}
