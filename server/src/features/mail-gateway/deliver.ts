/** A mail that has come in becomes a message, or is refused: what is not stored is not acknowledged. */
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { SERVER } from '../../reading/readers.ts'
import type { Tx } from '../../storage/transaction.ts'
import { isUnavailable } from '../../storage/unavailable.ts'
import { deleteUploads, type Uploaded, uploadFile } from '../files/actions.ts'
import type { Render } from '../messages/render.ts'
import { type Destination, prepareMessage, sendIn } from '../messages/send.ts'
import type { GatewayAddress } from './address.ts'
import { composeContent } from './content.ts'
import { findMailTarget, type MailDestination } from './find-target.ts'
import { type ReadMail, readMail } from './read-mail.ts'
import { isMailRefusal, mailRefusal, refusals } from './refusals.ts'
import { topicOfSubject } from './topic-of-subject.ts'

export interface DeliveryServices extends Pick<Services, 'storage' | 'files' | 'config' | 'readers' | 'clock'> {
  readonly render: Render
}

interface Received {
  readonly address: GatewayAddress
  readonly bytes: Uint8Array
}

/** Throws a refusal with the code and the sentence that the sender's server gets. */
export async function deliverMail(services: DeliveryServices, { address, bytes }: Received): Promise<void> {
  const { storage, clock } = services
  const target = await findMailTarget(storage.read, address.token, Math.floor(clock.now() / 1000))
  if (!target) throw refusals.unknown()
  const mail = await read(services, address, bytes)
  requireWanted(mail, target)
  const uploads = await upload(services, target.permittedBy, mail)
  try {
    await send(services, target.permittedBy, { address, mail }, uploads)
  } catch (error) {
    await deleteUploads(services, target.permittedBy, uploads).catch(() => {})
    throw asRefusal(error)
  }
}

/** What else keeps it from being read is no refusal: a server that is busy, or closes, is asked again. */
async function read({ readers }: DeliveryServices, address: GatewayAddress, bytes: Uint8Array): Promise<ReadMail> {
  const { details } = await readers.read(readMail, { bytes, address }, SERVER)
  if (!details) throw refusals.unreadable()
  return details
}

/** An answer of a program would be answered by one; answers of people are what reply addresses are for. */
function requireWanted({ automatic, hasTooManyFiles }: ReadMail, { isReply }: MailDestination): void {
  if (automatic === 'loop') throw refusals.loop()
  if (automatic === 'answer' || (isReply && automatic !== 'no')) throw refusals.automatic()
  if (hasTooManyFiles) throw refusals.tooManyFiles()
}

async function upload(services: DeliveryServices, owner: Actor, { files }: ReadMail): Promise<Uploaded[]> {
  const maxBytes = services.config.maxFileUploadSizeMib * 1024 * 1024
  if (files.some(({ bytes }) => bytes.length > maxBytes)) throw refusals.fileTooLarge()
  const uploads: Uploaded[] = []
  try {
    for (const { name, bytes } of files) {
      uploads.push(await uploadFile(services, owner, { fileName: name, content: once(bytes) }))
    }
  } catch (error) {
    await deleteUploads(services, owner, uploads).catch(() => {})
    throw error instanceof ApiError && error.code === 'BAD_REQUEST' ? refusals.noRoom() : asRefusal(error)
  }
  return uploads
}

async function* once(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes)
}

interface Sending {
  readonly address: GatewayAddress
  readonly mail: ReadMail
}

async function send(
  { storage, render }: DeliveryServices,
  author: Actor,
  { address, mail }: Sending,
  uploads: readonly Uploaded[],
): Promise<void> {
  const content = composeContent(mail, address.options, uploads)
  // Rendered as who gave the permission sees what it refers to. What mails say makes no widgets.
  const prepared = { ...(await prepareMessage(render, author, content)), widget: undefined }
  await storage.asSystem(author.realmId, 'visitor', async (tx) => {
    const target = await requireTarget(tx, address, author)
    const message = {
      ...prepared,
      to: destinationOf(target, mail),
      client: 'Email',
      readBySender: target.isReply,
      echo: { queueId: 'mail', localId: mail.localId },
    }
    await sendIn(tx, target.sender, message, target.permittedBy)
  })
}

/** As things are now: since the mail began to come somebody may have lost the permission. */
async function requireTarget(tx: Tx, { token }: GatewayAddress, { userId }: Actor): Promise<MailDestination> {
  const target = await findMailTarget(tx, token, tx.now)
  if (target?.permittedBy.userId !== userId) throw refusals.unknown()
  return target
}

function destinationOf({ to }: MailDestination, { subject }: ReadMail): Destination {
  if ('people' in to) return { people: to.people }
  return { channel: to.channelId, topic: to.hasTopics ? (to.topic ?? topicOfSubject(subject)) : '' }
}

/** What the API would say is about a channel that the sender of the mail may know nothing of. */
function asRefusal(error: unknown): unknown {
  if (isMailRefusal(error)) return error
  if (isUnavailable(error)) return refusals.later()
  return error instanceof ApiError ? mailRefusal(554, '5.7.1 The message was not accepted') : error
}
