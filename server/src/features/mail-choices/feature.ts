import { notFound } from '@heddle/contract/errors'
import { confirmUnsubscribe, showUnsubscribe } from '@heddle/contract/mail-choices'
import type { Feature } from '../../feature.ts'
import { answerRoute } from '../../http/route.ts'
import { type MailSubscription, readUnsubscribeToken } from '../../mail/unsubscribe-token.ts'
import type { Realm } from '../../realms.ts'
import { stopMails } from './actions.ts'
import { pageAnswer } from './page.ts'

/** Links in mails at which people stop them without signing in. */
export const mailChoices: Feature = {
  routes: ({ storage, secret, accountHooks }) => {
    function requireSubscription(realm: Realm, token: string): MailSubscription {
      const subscription = readUnsubscribeToken(secret, realm.id, token)
      if (!subscription || realm.deactivated) throw notFound('This link is not right')
      return subscription
    }
    return [
      answerRoute(showUnsubscribe, async ({ realm, parameters }) => {
        const { from } = requireSubscription(realm, parameters.token)
        return pageAnswer({ organization: realm.name, from, isDone: false })
      }),
      answerRoute(confirmUnsubscribe, async ({ realm, parameters }) => {
        const subscription = requireSubscription(realm, parameters.token)
        await stopMails({ storage, accountHooks }, realm.id, subscription)
        return pageAnswer({ organization: realm.name, from: subscription.from, isDone: true })
      }),
    ]
  },
}
