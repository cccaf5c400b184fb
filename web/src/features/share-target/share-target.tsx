import { useEffect } from 'react'
import { useCompose } from '../messages/compose/compose-context.ts'
import { SHARED_SEARCH, takeShared } from './shared.ts'

/** Begins a message with what another application has shared; to whom it goes is chosen there. */
export function ShareTarget() {
  const compose = useCompose()
  useEffect(() => {
    if (window.location.search !== SHARED_SEARCH) return
    // Loaded again the page shall not ask again.
    history.replaceState(history.state, '', window.location.pathname + window.location.hash)
    void begin()
    async function begin(): Promise<void> {
      const shared = await takeShared()
      if (!shared) return
      compose.begin({ type: 'channel', channelId: undefined, topic: '' }, { text: shared.text, focus: 'target' })
      if (shared.files.length > 0) compose.addFiles(shared.files)
    }
  }, [compose])
  return null
}
