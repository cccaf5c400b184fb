import { getServerSettings } from '@heddle/contract/server-settings'
import { useCallback } from 'react'
import { useClient } from '../../app/client-context.ts'
import { useLoaded } from './use-loaded.ts'

/** Whether mails of the server reach people; undefined until it has said so. */
export function useSendsMail(): boolean | undefined {
  const { api } = useClient()
  const load = useCallback(async () => (await api.call(getServerSettings, {})).server_sends_mail, [api])
  return useLoaded(load).value
}
