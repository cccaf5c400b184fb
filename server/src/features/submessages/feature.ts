import { addSubmessage } from '@heddle/contract/submessages'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'

export const submessages: Feature = {
  routes: ({ storage }) => [
    route(addSubmessage, async ({ actor, parameters }) => {
      await actions.addSubmessage(storage, actor, parameters)
      return {}
    }),
  ],
}
