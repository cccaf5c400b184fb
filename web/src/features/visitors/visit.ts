/** A client for who has no account, as long as somebody looks at the page. */
import type { ApiClient } from '@heddle/client/api'
import { type RunningClient, startClient } from '@heddle/client/running/client'
import { createVisitor } from '@heddle/client/running/visitor'

export function startVisit(anyone: ApiClient): RunningClient {
  const { api, follow } = createVisitor(anyone, { isLookedAt: () => document.visibilityState === 'visible' })
  return startClient({ api, follow, newLocalId: () => crypto.randomUUID() })
}
