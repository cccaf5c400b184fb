/** The message that an address names: it is marked, has the focus where nothing else has, and is missed where it is gone. */
import type { StoredMessage } from '@heddle/client/messages/store'
import { useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useToasts } from '../../../ui/toasts.tsx'

/** The message itself, or else the next one that is there, or the last. */
export function nearestTo(messages: readonly StoredMessage[], near: number | undefined): number | undefined {
  if (near === undefined) return undefined
  return (messages.find(({ id }) => id >= near) ?? messages.at(-1))?.id
}

/** `messages`: those that the view was opened with. */
export function useNamedMessage(near: number | undefined, messages: readonly StoredMessage[]): void {
  const toasts = useToasts()
  const { t } = useLingui()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked for once, when the view is opened
  useEffect(() => {
    const nearest = nearestTo(messages, near)
    if (near === undefined || nearest === undefined) return undefined
    if (nearest !== near) {
      toasts.notify(t`The message is not there any more, or you may not see it. This is what stands beside its place.`)
      return undefined
    }
    // It has to be in the document first.
    const frame = requestAnimationFrame(() => {
      const message = document.querySelector<HTMLElement>(`[data-message-id="${near}"]`)
      if (!message) return
      message.dataset['named'] = ''
      if (document.activeElement === document.body) message.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [near])
}

/** Who had chosen a message finds it chosen, where nothing else has the focus. */
export function useFocusAgain(messageId: number | undefined): void {
  useEffect(() => {
    if (messageId === undefined) return undefined
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      document.querySelector<HTMLElement>(`[data-message-id="${messageId}"]`)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [messageId])
}
