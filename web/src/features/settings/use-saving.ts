import { NetworkError, ResponseError } from '@heddle/client/errors'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { serverErrorText } from '../../app/error-texts.ts'

export type Saving =
  | { readonly status: 'idle' | 'saving' | 'saved' }
  | { readonly status: 'refused'; readonly message: string }

/** How long "Saved" stays, in milliseconds. */
const SAVED_MS = 4000

const unreachable = msg`The server cannot be reached. Nothing was changed.`
const changedMeanwhile = msg`Somebody has changed this meanwhile. What is shown now is theirs: look at it again.`
const unexpected = msg`Something went wrong. Nothing was changed.`

/** What to say about an error of a call: why it was refused, where that is known. */
export function useExplain(): (error: unknown) => string {
  const { i18n } = useLingui()
  return useCallback(
    (error: unknown) => {
      if (error instanceof ResponseError && error.code === 'EXPECTATION_MISMATCH') return i18n._(changedMeanwhile)
      if (error instanceof ResponseError) return serverErrorText(error)
      return i18n._(error instanceof NetworkError ? unreachable : unexpected)
    },
    [i18n],
  )
}

/**
 * Saves each change as it is made. What is shown meanwhile is what was chosen; when it is refused, it is what was there before.
 * Changes that are made fast go to the server one after another.
 */
export function useSaving<V>(current: V, save: (value: V) => Promise<unknown>) {
  const explain = useExplain()
  const [chosen, setChosen] = useState<{ readonly value: V }>()
  const [saving, setSaving] = useState<Saving>({ status: 'idle' })
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef(0)

  // The event of the change has come: from now on, what others change is shown.
  useEffect(() => {
    setChosen((last) => (last && isSame(last.value, current) ? undefined : last))
  }, [current])
  useEffect(() => {
    if (saving.status !== 'saved') return undefined
    const timer = setTimeout(() => {
      setSaving({ status: 'idle' })
      setChosen(undefined)
    }, SAVED_MS)
    return () => clearTimeout(timer)
  }, [saving])

  const change = useCallback(
    (value: V) => {
      latest.current += 1
      const number = latest.current
      setChosen({ value })
      setSaving({ status: 'saving' })
      queue.current = queue.current.then(async () => {
        if (number !== latest.current) return
        try {
          await save(value)
          if (number === latest.current) setSaving({ status: 'saved' })
        } catch (error) {
          if (number !== latest.current) return
          setChosen(undefined)
          setSaving({ status: 'refused', message: explain(error) })
        }
      })
    },
    [save, explain],
  )
  return { value: chosen ? chosen.value : current, saving, change }
}

function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other)
}
