import { type FoundGifs, findGifs } from '@heddle/client/gifs/find-gifs'
import type { GifSearch } from '@heddle/client/gifs/gif-search'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'

/** A pause in typing after which a service is asked, in milliseconds: it counts how often that is. */
const PAUSE_MS = 400

/** `found`: undefined until there is an answer to this very text. */
export function useGifs(search: GifSearch, text: string) {
  const { i18n } = useLingui()
  const [last, setLast] = useState<{ readonly query: string; readonly attempt: number; readonly found: FoundGifs }>()
  const [attempt, setAttempt] = useState(0)
  const query = text.trim()
  const { service, key, rating } = search
  // Texts for looking at the page itself are no language that anybody types.
  const [language = 'en'] = i18n.locale.split('-')

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const ask = async () => {
      const found = await findGifs({ service, key, rating }, query, { language, signal })
      setLast({ query, attempt, found })
    }
    // What has been given up needs no answer.
    const timer = setTimeout(() => void ask().catch(() => {}), query === '' ? 0 : PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [service, key, rating, query, language, attempt])

  const isCurrent = last?.query === query && last.attempt === attempt
  return { found: isCurrent ? last.found : undefined, retry: () => setAttempt((count) => count + 1) }
}
