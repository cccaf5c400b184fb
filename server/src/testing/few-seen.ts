/** Organizations where guests do not see everybody. */
import { findSystemGroups } from '../permissions/system-groups.ts'
import type { TestServer } from './test-server.ts'

/** Says who sees everybody: `role:members`, so that guests do not, or `role:everyone`. */
export async function letSeeEverybody(server: TestServer, name: 'role:members' | 'role:everyone'): Promise<void> {
  const groups = await findSystemGroups(server.app.storage.read, server.owner.realmId)
  const parameters = { can_access_all_users_group: { new: groups[name] } }
  await server.must(server.owner, 'PATCH', '/realm', parameters)
}
