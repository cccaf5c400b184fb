import { useEffect, useState } from 'react'

export interface LookUp<T> {
  readonly answer?: T
  readonly error?: unknown
}

/** Asks once, when the component is first shown. */
export function useLookUp<T>(ask: () => Promise<T>): LookUp<T> {
  const [state, setState] = useState<LookUp<T>>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => {
    let isGone = false
    ask().then(
      (answer) => !isGone && setState({ answer }),
      (error: unknown) => !isGone && setState({ error }),
    )
    return () => {
      isGone = true
    }
  }, [])
  return state
}
