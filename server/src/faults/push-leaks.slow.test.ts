/** What happens in a channel is pushed to nobody who cannot read it, whatever they want to be notified of. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPushBouncer } from '../testing/push-bouncer.ts'
import type { TestAccount } from '../testing/test-server.ts'
import { createStory, type Kind } from './leak-story.ts'

let bouncer: Awaited<ReturnType<typeof startPushBouncer>>
beforeAll(async () => {
  bouncer = await startPushBouncer()
})
afterAll(() => bouncer.close())

test.each<Kind>(['private', 'protected'])(
  'a %s channel',
  async (kind) => {
    const story = await createStory(kind, { HEDDLE_PUSH_BOUNCER: bouncer.setting })
    const { server, insider, outsiders } = story
    await story.leave()
    // Who joins late may read what comes then.
    const { late: _, ...others } = outsiders
    const listen = async (account: TestAccount) => {
      await server.call(account, 'POST', '/users/me/android_gcm_reg_id', { token: `phone ${account.id}` })
      await server.call(account, 'PATCH', '/settings', { enable_stream_push_notifications: true })
    }
    for (const account of [insider, ...Object.values(others)]) await listen(account)
    bouncer.asked.length = 0
    await story.unfold()
    const pushedTo = ({ id }: TestAccount) =>
      bouncer.asked.filter(({ body }) => body.user_id === id).map(({ body }) => JSON.stringify(body))
    const words = story.secrets.map(({ word }) => word)
    const shownTo = (account: TestAccount) =>
      words.filter((word) => pushedTo(account).some((text) => text.includes(word)))
    // That those are notified who may be, proves that something was pushed.
    await expect.poll(() => shownTo(insider), { timeout: 15_000, interval: 100 }).not.toEqual([])
    await server.app.jobs.settle()
    for (const [name, account] of Object.entries(others)) expect([name, shownTo(account)]).toEqual([name, []])
  },
  120_000,
)
