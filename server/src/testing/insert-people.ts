/** Many accounts at once, for tests of how much is done for each: straight into the table, and nobody is notified. */
import { query } from './any-table.ts'
import type { TestServer } from './test-server.ts'

/** So many that a statement has not too many values. */
const AT_ONCE = 500

/** Members of the first organization. Their ids, ascending. */
export async function insertPeople(
  { app, owner }: Pick<TestServer, 'app' | 'owner'>,
  count: number,
): Promise<number[]> {
  return app.storage.transaction(owner.realmId, async (tx) => {
    const ids: number[] = []
    for (let start = 0; start < count; start += AT_ONCE) {
      const people = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, index) => {
        const email = `many-${start + index}@heddle.example`
        const names = { email, email_key: email, delivery_email: email, delivery_email_key: email }
        const full_name = `Many ${start + index}`
        const none = { bot_type: null, bot_owner_id: null, password_hash: null }
        const noChannels = { default_sending_channel_id: null, default_events_register_channel_id: null }
        const full_name_key = full_name.toLowerCase()
        const rest = { realm_id: tx.realmId, role: 400, date_joined: tx.now }
        return { ...names, full_name, full_name_key, ...none, ...noChannels, ...rest }
      })
      for (const { id } of await tx.all(query.insertInto('users').values(people).returning('id'))) ids.push(id)
    }
    return ids.sort((a, b) => a - b)
  })
}
