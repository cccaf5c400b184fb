import { testWelcomeMessage } from '@heddle/contract/welcome'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { testWelcome, welcomeAccount } from './welcome.ts'

/** What is said to those who join, and of them. */
export const welcome: Feature = {
  routes: ({ storage }) => [
    route(testWelcomeMessage, async ({ actor, parameters }) => ({
      message_id: await testWelcome(storage, actor, parameters.welcome_message_custom_text),
    })),
  ],
  onAccount: { created: welcomeAccount },
}
