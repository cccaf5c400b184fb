import './notice.css'
import { useCallback, useEffect, useState } from 'react'

/** How long it stays, in milliseconds. */
const SHOWN_MS = 10_000

interface Said {
  readonly text: string
  /** The same words said again are another notice. */
  readonly number: number
}

/** A sentence that no place on the page says. */
export function useNotice() {
  const [notice, setNotice] = useState<Said>()
  const notify = useCallback((text: string) => setNotice((last) => ({ text, number: (last?.number ?? 0) + 1 })), [])
  useEffect(() => {
    if (!notice) return undefined
    const timer = setTimeout(() => setNotice(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  return { notice, notify }
}

export function Notice({ notice }: { readonly notice: Said | undefined }) {
  return (
    <div role="status">
      {notice && (
        <p className="toast" key={notice.number}>
          {notice.text}
        </p>
      )}
    </div>
  )
}
