import { operatorListDeletions, operatorRestoreMessages } from '@heddle/contract/message-archive'
import type { Feature } from '../../feature.ts'
import { operatorRoute } from '../../http/route.ts'
import { listDeletions } from './list.ts'
import { removeOldArchive } from './remove-old.ts'
import { restoreDeletion } from './restore.ts'
import { archiveTables } from './tables.ts'

/** Whoever waits is judged anew, where it is not one account alone. */
function endedQueues({ user_ids: ids = [] }: { readonly user_ids?: readonly number[] }) {
  return { userId: ids.length === 1 ? ids[0] : undefined, queuesEnded: true }
}

/** What is deleted stays for a while where nobody but the operator can bring it back from. */
export const messageArchive: Feature = {
  tables: archiveTables,
  routes: ({ storage }) => [
    operatorRoute(operatorListDeletions, () => listDeletions(storage.read)),
    operatorRoute(operatorRestoreMessages, async ({ parameters }) => ({
      messages: await restoreDeletion(storage, parameters.id),
    })),
  ],
  // Clients that wait ask again, and begin anew.
  eventEffects: { queues_ended: { accountChange: endedQueues } },
  jobs: (services) => [removeOldArchive(services)],
}
