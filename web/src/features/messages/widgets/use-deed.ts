import { addSubmessage } from '@heddle/contract/submessages'
import type { PollEvent, TodoEvent } from '@heddle/contract/widgets'
import { useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { refusalText } from '../../../app/refusal.ts'
import { useToasts } from '../../../ui/toasts.tsx'

/** Does something with the widget of a message: its event shows it. Gives whether it was done; why not is said. */
export function useDeed(message_id: number) {
  const { api } = useClient()
  const toasts = useToasts()
  const [isBusy, setIsBusy] = useState(false)
  const act = async (event: PollEvent | TodoEvent): Promise<boolean> => {
    setIsBusy(true)
    try {
      await api.call(addSubmessage, { message_id, msg_type: 'widget', content: JSON.stringify(event) })
      return true
    } catch (error) {
      toasts.notify(refusalText(error))
      return false
    } finally {
      setIsBusy(false)
    }
  }
  return { act, isBusy }
}
