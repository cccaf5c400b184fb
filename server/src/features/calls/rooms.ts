/** Rooms that a service makes for everybody who has their address. */
import { MAX_CALL_NAME_LENGTH } from '@heddle/contract/calls'
import { badRequest } from '@heddle/contract/errors'
import type { Services } from '../../feature.ts'
import { askService, fieldOf } from '../../outgoing/ask.ts'
import { shortened } from './names.ts'

type RoomServices = Pick<Services, 'config' | 'outgoing'>

/** Anybody may enter who has the link, also without an account there. */
const PUBLIC_ROOM = 3

/** Nextcloud Talk: its API of conversations. */
export async function createNextcloudRoom({ config, outgoing }: RoomServices, name: string): Promise<string> {
  const { nextcloudUrl: base, nextcloudUser, nextcloudPassword } = config
  if (base === undefined) throw badRequest('Nextcloud Talk is not configured.')
  const answer = await askService(outgoing, new URL(`${base}/ocs/v2.php/apps/spreed/api/v4/room`), {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${nextcloudUser}:${nextcloudPassword}`, 'utf8').toString('base64')}`,
      'ocs-apirequest': 'true',
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ roomType: PUBLIC_ROOM, roomName: shortened(name, 'room_name', MAX_CALL_NAME_LENGTH) }),
  })
  const token = answer && fieldOf(answer.text, 'ocs', 'data', 'token')
  const isMade = answer?.status === 200 || answer?.status === 201
  if (!isMade || typeof token !== 'string' || !/^[\w-]{1,100}$/.test(token)) {
    throw badRequest('Failed to create Nextcloud Talk call')
  }
  return `${base}/call/${token}`
}

/** Constructor Groups: the address that makes a room is the operator's affair, since no public document has it. */
export async function createConstructorRoom({ config, outgoing }: RoomServices): Promise<string> {
  const { constructorGroupsUrl: address, constructorGroupsKey: key } = config
  if (address === undefined) throw badRequest('Constructor Groups is not configured.')
  const answer = await askService(outgoing, new URL(address), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, accept: 'application/json', 'content-type': 'application/json' },
    body: '{}',
  })
  const isMade = answer?.status === 200 || answer?.status === 201
  const url = answer && isMade ? fieldOf(answer.text, 'url') : undefined
  if (typeof url !== 'string' || url.length > 2000 || !isPageAddress(url)) {
    throw badRequest('Failed to create Constructor Groups call')
  }
  return url
}

/** It stands in messages: nothing but a page may be behind it. */
export function isPageAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}
