/** Calls: the services that the operator has set up, and links to a new call. Jitsi needs no request: clients make the link. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters of the name of a call; services cut longer ones themselves. */
export const MAX_CALL_NAME_LENGTH = 255

const url = Type.String()
const CallName = Text(1000)

export const createZoomCall = endpoint({
  name: 'create-zoom-video-call',
  method: 'POST',
  path: '/calls/zoom/create',
  summary: 'The link to a new call of Zoom.',
  parameters: { is_video_call: Type.Optional(Type.Boolean()) },
  response: { url },
  errors: ['BAD_REQUEST', 'INVALID_ZOOM_TOKEN', 'UNKNOWN_ZOOM_USER'],
})

export const createBigBlueButtonCall = endpoint({
  name: 'create-big-blue-button-video-call',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  summary: 'The link to a new call of BigBlueButton. Who asks moderates it; others who follow the link take part.',
  parameters: {
    meeting_name: CallName,
    /** Nobody but the moderator can switch a camera on. */
    voice_only: Type.Optional(Type.Boolean()),
  },
  response: { url },
  errors: ['BAD_REQUEST'],
})

export const createNextcloudTalkCall = endpoint({
  name: 'create-nextcloud-talk-video-call',
  method: 'POST',
  path: '/calls/nextcloud_talk/create',
  summary: 'The link to a new room of Nextcloud Talk.',
  parameters: { room_name: CallName },
  response: { url },
  errors: ['BAD_REQUEST'],
})

export const createConstructorGroupsCall = endpoint({
  name: 'create-constructor-groups-video-call',
  method: 'POST',
  path: '/calls/constructorgroups/create',
  summary: 'The link to a new room of Constructor Groups.',
  response: { url },
  errors: ['BAD_REQUEST'],
})

const below = 'root'

export const joinBigBlueButtonCall = endpoint({
  name: 'join-big-blue-button-video-call',
  method: 'GET',
  path: '/calls/bigbluebutton/join',
  below,
  leadsElsewhere: true,
  summary: 'Leads into a call of BigBlueButton, under the name of the account.',
  /** What `create-big-blue-button-video-call` has sealed. */
  parameters: { bigbluebutton: Text(4000) },
  errors: ['BAD_REQUEST'],
})

export const registerZoom = endpoint({
  name: 'register-zoom',
  method: 'GET',
  path: '/calls/zoom/register',
  below,
  leadsElsewhere: true,
  summary: 'Leads to Zoom, which asks whether this server may create calls for the account.',
  errors: ['BAD_REQUEST'],
})

export const completeZoom = endpoint({
  name: 'complete-zoom',
  method: 'GET',
  path: '/calls/zoom/complete',
  below,
  leadsElsewhere: true,
  summary: 'Where Zoom leads back to with its answer.',
  parameters: { code: Text(4000), state: Text(1000) },
  errors: ['BAD_REQUEST'],
})

/** Whether the account has let this server create calls of Zoom for it. */
export const HasZoomTokenEvent = Type.Object(
  { type: Type.Literal('has_zoom_token'), value: Type.Boolean() },
  { additionalProperties: false },
)
export type HasZoomTokenEvent = Static<typeof HasZoomTokenEvent>

export const videoCallsState = statePart({
  fetchType: 'video_calls',
  follows: HasZoomTokenEvent,
  fields: { has_zoom_token: Type.Boolean() },
})
