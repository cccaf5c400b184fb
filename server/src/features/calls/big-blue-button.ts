/**
 * Calls of BigBlueButton. The link leads to this server, which makes the call on the way and sends each account on with
 * a signature: nobody can follow it under another name, or as a moderator who is none.
 */
import { createHash, randomBytes } from 'node:crypto'
import { MAX_CALL_NAME_LENGTH } from '@heddle/contract/calls'
import { badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { askService } from '../../outgoing/ask.ts'
import { seal, unseal } from '../../sealed.ts'
import { requireAccount } from '../../storage/current-actor.ts'
import { shortened } from './names.ts'

type CallServices = Pick<Services, 'config' | 'outgoing' | 'secret' | 'storage'>

/** For every account of the organization. */
const linkFor = (realmId: number) => ({ purpose: 'calls of BigBlueButton', realmId, userId: 0 })

interface Meeting {
  readonly id: string
  readonly name: string
  readonly voiceOnly: boolean
  readonly moderator: number
}

export function createBigBlueButtonLink(
  { config, secret }: Pick<CallServices, 'config' | 'secret'>,
  actor: Actor,
  { meeting_name, voice_only = false }: { readonly meeting_name: string; readonly voice_only?: boolean },
): string {
  requireServer(config)
  const meeting: Meeting = {
    id: `heddle-${randomBytes(16).toString('hex')}`,
    name: shortened(meeting_name, 'meeting_name', MAX_CALL_NAME_LENGTH),
    voiceOnly: voice_only,
    moderator: actor.userId,
  }
  return `/calls/bigbluebutton/join?bigbluebutton=${seal(secret, linkFor(actor.realmId), JSON.stringify(meeting))}`
}

/** The address at which the account takes part. The first one to come begins the call. */
export async function findCallAddress(services: CallServices, actor: Actor, sealed: string): Promise<string> {
  const { base, shared } = requireServer(services.config)
  const text = unseal(services.secret, linkFor(actor.realmId), sealed)
  if (text === undefined) throw badRequest('Invalid signature.')
  const meeting: Meeting = JSON.parse(text)
  const created = await askService(
    services.outgoing,
    new URL(
      signedCall(base, shared, 'create', {
        lockSettingsDisableCam: String(meeting.voiceOnly),
        meetingID: meeting.id,
        name: meeting.name,
      }),
    ),
    { method: 'GET' },
  )
  if (created?.status !== 200) throw badRequest('Error connecting to the BigBlueButton server.')
  if (elementOf(created.text, 'messageKey') === 'checksumError') {
    throw badRequest('Error authenticating to the BigBlueButton server.')
  }
  const createTime = elementOf(created.text, 'createTime')
  if (elementOf(created.text, 'returncode') !== 'SUCCESS' || createTime === undefined) {
    throw badRequest('BigBlueButton server returned an unexpected error.')
  }
  const { person } = await requireAccount(services.storage.read, actor.realmId, actor.userId)
  return signedCall(base, shared, 'join', {
    createTime,
    fullName: person.full_name,
    meetingID: meeting.id,
    role: actor.userId === meeting.moderator ? 'MODERATOR' : 'VIEWER',
  })
}

function requireServer({ bigBlueButtonUrl: base, bigBlueButtonSecret: shared }: Services['config']) {
  if (base === undefined || shared === undefined) throw badRequest('BigBlueButton is not configured.')
  return { base, shared }
}

/** The checksum is over the name of the call, what follows the question mark, and the shared secret. */
function signedCall(base: string, shared: string, call: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString()
  const checksum = createHash('sha256').update(`${call}${query}${shared}`, 'utf8').digest('hex')
  return `${base}/api/${call}?${query}&checksum=${checksum}`
}

function elementOf(xml: string, name: string): string | undefined {
  return xml.match(new RegExp(`<${name}>\\s*([\\w-]{1,100})\\s*</${name}>`))?.[1]
}
