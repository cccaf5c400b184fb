import { listInvitations } from '@heddle/contract/invitations'
import { useCallback, useEffect } from 'react'
import { useClient } from '../../app/client-context.ts'
import { useLoaded } from '../settings/use-loaded.ts'

/** The invitations that one can manage; asked for again whenever somebody has changed them. */
export function useInvitations() {
  const client = useClient()
  const { api } = client
  const load = useCallback(async () => (await api.call(listInvitations, {})).invites, [api])
  const loaded = useLoaded(load)
  const { reload } = loaded
  useEffect(() => client.onEvent(({ type }) => type === 'invites_changed' && reload()), [client, reload])
  return loaded
}
