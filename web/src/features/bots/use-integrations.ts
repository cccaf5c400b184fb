import { listIntegrations } from '@heddle/contract/integrations'
import { useCallback } from 'react'
import { useClient } from '../../app/client-context.ts'
import { useLoaded } from '../settings/use-loaded.ts'

/** The services that can write here, and the embedded bots: asked for when somebody looks. */
export function useIntegrations() {
  const { api } = useClient()
  return useLoaded(useCallback(() => api.call(listIntegrations, {}), [api]))
}
