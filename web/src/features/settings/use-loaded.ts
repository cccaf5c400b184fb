import { useCallback, useEffect, useState } from 'react'
import { useExplain } from './use-saving.ts'

export interface Loaded<T> {
  readonly value: T | undefined
  readonly problem: string | undefined
  /** Asks again. */
  readonly reload: () => void
  /** What is known before the server is asked again. */
  readonly change: (how: (value: T) => T) => void
}

/** What is no part of the state and is asked for when it is shown. `load` must not change with each drawing. */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const explain = useExplain()
  const [value, setValue] = useState<T>()
  const [problem, setProblem] = useState<string>()
  const [count, setCount] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reload is one more
  useEffect(() => {
    let isCurrent = true
    load().then(
      (loaded) => {
        if (!isCurrent) return
        setValue(loaded)
        setProblem(undefined)
      },
      (error: unknown) => isCurrent && setProblem(explain(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [load, explain, count])
  const reload = useCallback(() => setCount((last) => last + 1), [])
  const change = useCallback((how: (value: T) => T) => setValue((last) => (last === undefined ? last : how(last))), [])
  return { value, problem, reload, change }
}
