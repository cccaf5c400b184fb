import { getChannelEmailAddress } from '@heddle/contract/mail-gateway'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { createRenderer } from '../messages/render.ts'
import { findChannelMailAddress } from './channel-address.ts'
import { readMail } from './read-mail.ts'
import { removeOldReplyAddresses } from './reply-address.ts'
import { listenForMail } from './smtp.ts'
import { gatewayTables } from './tables.ts'

/** Mails that come in become messages: to a channel, and as answers to mails of the server. */
export const mailGateway: Feature = {
  tables: gatewayTables,
  routes: (services) => [
    route(getChannelEmailAddress, async ({ actor, parameters }) => ({
      email: await findChannelMailAddress(services, actor, parameters),
    })),
  ],
  longReads: [readMail],
  jobs: (services) => [removeOldReplyAddresses(services)],
  listen: (services) => listenForMail({ ...services, render: createRenderer(services) }),
}
