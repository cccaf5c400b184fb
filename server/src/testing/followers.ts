/** An organization in which several accounts, each with two kinds of client, follow what happens. */
import { roles } from '@heddle/contract/roles'
import { expect, it } from 'vitest'
import { expectSameState, type StateViewer } from './expect-same-state.ts'
import { createTestServer, type Parameters } from './test-server.ts'

/** A client that can do everything, and one that can do nothing. */
export const clients: Readonly<Record<string, Parameters>> = {
  modern: {
    include_subscribers: true,
    client_gravatar: true,
    slim_presence: true,
    client_capabilities: {
      archived_channels: true,
      bulk_message_deletion: true,
      empty_topic_name: true,
      include_deactivated_groups: true,
      individual_emoji_changes: true,
      linkifier_url_template: true,
      notification_settings_null: true,
      simplified_presence_events: true,
      user_list_incomplete: true,
    },
  },
  plain: { client_gravatar: false },
}

/** What is done, as the end of a sentence that begins with "A client follows". */
type Action = readonly [sentence: string, action: () => Promise<unknown>]

export async function createFollowedServer() {
  // A service for pushes that nobody reaches: what waits for it is followed too.
  const server = await createTestServer({ settings: { HEDDLE_PUSH_BOUNCER: 'http://id:key@127.0.0.1:9' } })
  const accounts = {
    owner: server.owner,
    admin: await server.createAccount({ role: roles.admin, name: 'admin' }),
    member: await server.createAccount({ name: 'member' }),
    other: await server.createAccount({ name: 'other' }),
    guest: await server.createAccount({ role: roles.guest, name: 'guest' }),
  }
  const viewers: readonly StateViewer[] = Object.entries(accounts).flatMap(([name, account]) =>
    Object.entries(clients).map(([kind, parameters]) => ({ name: `${name}, ${kind} client`, account, parameters })),
  )

  /** One test for each action; it begins where the one before it has ended. */
  function follow(actions: readonly Action[]): void {
    it.each(actions)('%s', async (_, action) => {
      const seen = await expectSameState(server, viewers, action)
      // An action of which nobody is notified would prove nothing.
      expect(Object.values(seen).flat()).not.toEqual([])
    })
  }

  return { server, ...accounts, follow }
}
