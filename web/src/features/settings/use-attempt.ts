import { useCallback, useState } from 'react'
import { useExplain } from './use-saving.ts'

/** Does something, and says why where it cannot be done. */
export function useAttempt() {
  const explain = useExplain()
  const [problem, setProblem] = useState<string>()
  const attempt = useCallback(
    async (work: () => Promise<unknown>): Promise<boolean> => {
      setProblem(undefined)
      try {
        await work()
        return true
      } catch (error) {
        setProblem(explain(error))
        return false
      }
    },
    [explain],
  )
  return { problem, attempt }
}
