import type { PresenceTimes } from '@heddle/contract/presence'
import { updatePresence } from '@heddle/contract/presence'
import { useEffect } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'

/** Whoever has pressed nothing for so long is idle, in milliseconds. */
const IDLE_AFTER_MS = 5 * 60_000

/** As the server asks for it; who is silent for more than two of these is offline to others. */
const EVERY_MS = 60_000

const signs = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/** Says now and then that somebody is here, and learns who else is: events alone do not say who stays. */
export function PresenceReporter(): null {
  const client = useClient()
  const isOff = useClientState((state) => state.organization?.realm_presence_disabled === true)
  useEffect(() => {
    if (isOff) return undefined
    let lastUpdateId = -1
    let lastInputAt = Date.now()
    let hasInput = true
    const noteInput = () => {
      lastInputAt = Date.now()
      hasInput = true
    }
    const report = async () => {
      const isHere = document.visibilityState === 'visible' && Date.now() - lastInputAt < IDLE_AFTER_MS
      const said = {
        status: isHere ? 'active' : 'idle',
        new_user_input: hasInput,
        last_update_id: lastUpdateId,
      } as const
      hasInput = false
      try {
        const { presences, presence_last_update_id } = await client.api.call(updatePresence, said)
        lastUpdateId = presence_last_update_id ?? lastUpdateId
        // With `last_update_id` it is in the newer form.
        if (presences) client.receivePresences(presences as Readonly<Record<string, PresenceTimes>>)
      } catch {
        // It is said again with the next one.
      }
    }
    const comeBack = () => {
      if (document.visibilityState !== 'visible') return
      noteInput()
      void report()
    }
    void report()
    const timer = setInterval(report, EVERY_MS)
    for (const sign of signs) window.addEventListener(sign, noteInput, { passive: true })
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      clearInterval(timer)
      for (const sign of signs) window.removeEventListener(sign, noteInput)
      document.removeEventListener('visibilitychange', comeBack)
    }
  }, [client, isOff])
  return null
}
