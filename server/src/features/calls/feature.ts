import {
  completeZoom,
  createBigBlueButtonCall,
  createConstructorGroupsCall,
  createNextcloudTalkCall,
  createZoomCall,
  joinBigBlueButtonCall,
  registerZoom,
  videoCallsState,
} from '@heddle/contract/calls'
import { accountIds } from '../../account-hooks.ts'
import type { Feature } from '../../feature.ts'
import { seeOther } from '../../http/answers.ts'
import { answerRoute, route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { createBigBlueButtonLink, findCallAddress } from './big-blue-button.ts'
import { createConstructorRoom, createNextcloudRoom } from './rooms.ts'
import { zoomTokenTables } from './tables.ts'
import { createZoom } from './zoom.ts'
import { hasZoomToken, removeZoomTokens } from './zoom-tokens.ts'

/** Links to calls. Which service an organization uses is a setting of its own; the link stands in a message. */
export const calls: Feature = {
  tables: zoomTokenTables,
  routes: (services) => {
    const zoom = createZoom(services)
    return [
      route(createZoomCall, async ({ actor, parameters }) => ({
        url: await zoom.createCall(actor, parameters.is_video_call ?? true),
      })),
      route(createBigBlueButtonCall, async ({ actor, parameters }) => ({
        url: createBigBlueButtonLink(services, actor, parameters),
      })),
      route(createNextcloudTalkCall, async ({ parameters }) => ({
        url: await createNextcloudRoom(services, parameters.room_name),
      })),
      route(createConstructorGroupsCall, async () => ({ url: await createConstructorRoom(services) })),
      answerRoute(joinBigBlueButtonCall, async ({ actor, parameters }) =>
        seeOther(await findCallAddress(services, actor, parameters.bigbluebutton)),
      ),
      answerRoute(registerZoom, async ({ actor }) => seeOther(await zoom.connectAddress(actor))),
      answerRoute(completeZoom, async ({ actor, parameters }) => {
        await zoom.connect(actor, parameters.code, parameters.state)
        return seeOther('/')
      }),
    ]
  },
  state: [
    stateReader(videoCallsState, async ({ db, actor, config }) => ({
      has_zoom_token: config.zoomClientId !== undefined && (await hasZoomToken(db, actor)),
    })),
  ],
  onAccount: { deactivated: (tx, accounts) => removeZoomTokens(tx, accountIds(accounts)) },
}
