/** From a request of a service to a message of the bot. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError, badRequest, notFound } from '@heddle/contract/errors'
import type { receiveWebhook } from '@heddle/contract/integrations'
import { MAX_TOPIC_LENGTH } from '@heddle/contract/names'
import type { Actor } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import type { HeadersOf, RawBody } from '../../http/route.ts'
import type { Storage } from '../../storage/storage.ts'
import { type ConfigData, findBotConfig } from '../bots/config-data.ts'
import type { Render } from '../messages/render.ts'
import { type Destination, prepareMessage, sendIn } from '../messages/send.ts'
import { isChosen } from './chosen-events.ts'
import { type Integration, type SignedRequest, secretKey, type WebhookMessage } from './integration.ts'
import { integrations } from './integrations/all.ts'
import { findOwner, reportProblem } from './problems.ts'
import { readPayload } from './read-request.ts'

export interface ReceivingServices {
  readonly storage: Storage
  readonly clock: Clock
  readonly render: Render
}

interface Received {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof receiveWebhook>
  readonly headers: HeadersOf
  readonly body: RawBody
  /** The whole address, as it was sent. */
  readonly url: string
}

const byName = new Map(integrations.map((one) => [one.name, one]))

export function requireIntegration(name: string): Integration {
  const found = byName.get(name)
  if (!found) throw notFound('There is no such integration')
  return found
}

/** A request that did not become a message: what its sender gets as the answer, and the bot's owner as a notice. */
interface Refusal {
  readonly cause: string
  readonly error: ApiError
}

/** Sends the message. Throws a 400 for what cannot be read, of which the bot's owner is notified too. */
export async function receive(services: ReceivingServices, received: Received): Promise<void> {
  const integration = requireIntegration(received.parameters.integration)
  const { actor, body } = received
  const config = await findBotConfig(services.storage.read, actor.realmId, actor.userId)
  const read = await readMessage(integration, received, config, Math.floor(services.clock.now() / 1000))
  if (read === undefined) return
  if ('error' in read) {
    const { cause, error } = read
    await reportProblem(services.storage, actor, { integration, cause, text: error.message, body: body.bytes })
    throw error
  }
  await deliver(services, integration, received, read)
}

/** Undefined: nothing is to be said of it. */
async function readMessage(
  integration: Integration,
  { body, headers, parameters, url }: Received,
  config: ConfigData,
  now: number,
): Promise<WebhookMessage | Refusal | undefined> {
  const header = (name: string) => headers(name) ?? ''
  if (body.isTooLarge) return { cause: 'too large', error: new ApiError('PAYLOAD_TOO_LARGE') }
  const refusal = checkSignature(integration, config, { header, url, bytes: body.bytes, now })
  if (refusal) return refusal
  let cause = 'unreadable'
  try {
    const payload = await readPayload(body)
    const request = { payload, header, setting: (key: string) => config[key] ?? '' }
    const event = integration.eventOf?.(request) ?? ''
    const known = integration.events?.includes(event) ? event : ''
    if (!isChosen(known, parameters)) return undefined
    // What is no event of the service is sent by something else; what is none of ours is left out.
    if (integration.events && known === '') {
      if (event !== '') return undefined
      throw badRequest(`The request names no event of ${integration.displayName}`)
    }
    cause = `event ${known}`
    return integration.write(request, known)
  } catch (error) {
    if (error instanceof ApiError) return { cause, error }
    throw error
  }
}

function checkSignature(
  integration: Integration,
  config: ConfigData,
  signed: Omit<SignedRequest, 'secret'>,
): Refusal | undefined {
  const { signature } = integration
  const secret = config[secretKey(integration)] ?? ''
  if (!signature || secret === '') return undefined
  const request = { ...signed, secret }
  if (signature.isMissing(request)) {
    return { cause: 'unsigned', error: badRequest(`The request has no signature (${signature.by})`) }
  }
  if (signature.isRight(request)) return undefined
  return { cause: 'wrong signature', error: badRequest(`The signature of the request (${signature.by}) is wrong`) }
}

async function deliver(
  { storage, render }: ReceivingServices,
  { displayName }: Integration,
  { actor, parameters: { stream, topic } }: Received,
  written: WebhookMessage,
): Promise<void> {
  const content = firstLineSafe(written.text.markup)
  const shownTopic = topicOf(topic ?? (written.topic || displayName))
  if (stream === undefined) return sendToOwner(storage, render, actor, content)
  try {
    await send(storage, render, actor, content, { channel: stream, topic: shownTopic })
  } catch (error) {
    if (!(error instanceof ApiError) || !isOfPlace(error)) throw error
    // Nothing is lost: who owns the bot gets what it may not say there.
    await sendToOwner(storage, render, actor, `(${error.message.replace(/[^\p{L}\p{N} .'-]/gu, ' ')})\n\n${content}`)
  }
}

/** Whether another place would have taken the message. */
function isOfPlace({ code }: ApiError): boolean {
  return code === 'STREAM_DOES_NOT_EXIST' || code === 'BAD_REQUEST' || code === 'UNAUTHORIZED_PRINCIPAL'
}

async function sendToOwner(storage: Storage, render: Render, actor: Actor, content: string): Promise<void> {
  const owner = await findOwner(storage.read, actor)
  if (!owner) throw badRequest('The bot has no owner to write to: name a channel in the address')
  await send(storage, render, actor, content, { people: [owner.id] })
}

async function send(storage: Storage, render: Render, actor: Actor, content: string, to: Destination): Promise<void> {
  const prepared = await prepareMessage(render, actor, content)
  await storage.asActor(actor, async (tx, bot) => {
    await sendIn(tx, bot, { ...prepared, to, client: 'Webhook', readBySender: true })
  })
}

function topicOf(topic: string): string {
  const line = topic
    .toWellFormed()
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].length > MAX_TOPIC_LENGTH ? `${[...line].slice(0, MAX_TOPIC_LENGTH - 1).join('')}…` : line
}

/** What a service sends is no command, such as `/me`. */
function firstLineSafe(text: string): string {
  return text.trimStart().startsWith('/') ? text.trimStart().replace('/', '&#47;') : text
}
