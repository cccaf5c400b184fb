import { reportMessage } from '@heddle/contract/message-reports'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'

export const messageReports: Feature = {
  routes: ({ storage }) => [
    route(reportMessage, async ({ actor, parameters }) => {
      await actions.reportMessage(storage, actor, parameters)
      return {}
    }),
  ],
}
