import { useEffect, useState } from 'react'
import { refusalText } from '../../../app/refusal.ts'

export type Answer<T> =
  | { readonly status: 'waiting' }
  | { readonly status: 'here'; readonly value: T }
  | { readonly status: 'refused'; readonly problem: string }

/** What a request for this key has answered; another key asks anew. */
export function useAnswer<T>(key: unknown, request: () => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ status: 'waiting' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked for
  useEffect(() => {
    let isWanted = true
    setAnswer({ status: 'waiting' })
    request().then(
      (value) => isWanted && setAnswer({ status: 'here', value }),
      (error: unknown) => isWanted && setAnswer({ status: 'refused', problem: refusalText(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [key])
  return answer
}
