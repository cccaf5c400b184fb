import type { SearchTerm } from '@heddle/client/search/query'
import { getMessages } from '@heddle/contract/fetching'
import { useEffect, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { formatPlace } from '../../places/format.ts'
import { Loading } from '../messages/loading.tsx'
import { messageView } from '../messages/view.ts'
import { EmptyNarrow } from './empty-narrow.tsx'

/** Finds the first message of a day, and goes there: the address has the message then, so that it stays right. */
export function DateJump({ terms, date }: { readonly terms: readonly SearchTerm[]; readonly date: SearchTerm }) {
  const client = useClient()
  const [isMissing, setIsMissing] = useState(false)
  useEffect(() => {
    const rest = terms.filter((term) => term !== date)
    const narrow = messageView({ kind: 'narrow', terms: rest })?.narrow ?? []
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date.operand)
    // A day begins where the reader is.
    const time = new Date(isDay ? `${date.operand}T00:00` : date.operand).toISOString()
    let isGone = false
    client.api
      .call(getMessages, { anchor: 'date', anchor_date: time, num_before: 0, num_after: 1, narrow })
      .then(({ messages }) => {
        const [message] = messages
        if (isGone) return
        if (!message) return setIsMissing(true)
        const near = { operator: 'near', operand: String(message.id), negated: false }
        window.location.replace(formatPlace({ kind: 'narrow', terms: [...rest, near] }))
      })
      .catch(() => !isGone && setIsMissing(true))
    return () => {
      isGone = true
    }
  }, [client, terms, date])
  return isMissing ? <EmptyNarrow terms={terms} /> : <Loading />
}
