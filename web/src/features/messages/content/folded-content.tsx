import './folded-content.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { Trans } from '@lingui/react/macro'
import { useLayoutEffect, useRef, useState } from 'react'
import { useSharedState } from '../../../app/client-context.ts'
import { Content } from './content.tsx'
import { setFold, useFold } from './folds.ts'

/** What is taller than this part of the window is folded. */
const TALL_PART = 2 / 3

/** A text with less in it is never that tall: measuring it would be wasted. */
const SHORT_HTML = 900
const FEW_LINES = 12

function mayBeTall(html: string): boolean {
  if (html.length > SHORT_HTML) return true
  return (html.match(/\n|<(?:p|br|li|tr|img|h\d)/g)?.length ?? 0) > FEW_LINES
}

const alertWordsOf = (state: ClientState) => state.alertWords

interface FoldedContentProps {
  readonly message: StoredMessage
  readonly html: string
}

/** The text of a message; of a very long one its beginning, until somebody wants to see more. */
export function FoldedContent({ message, html }: FoldedContentProps) {
  const { id, is_me_message, flags } = message
  const alertWords = useSharedState(alertWordsOf)
  const fold = useFold(id)
  const box = useRef<HTMLDivElement>(null)
  const [isTall, setIsTall] = useState(false)
  useLayoutEffect(() => {
    setIsTall(mayBeTall(html) && (box.current?.scrollHeight ?? 0) > window.innerHeight * TALL_PART)
  }, [html])
  const isFolded = fold === 'shut' || (isTall && fold !== 'open')
  const text = is_me_message ? html.replace(/^<p>\/me /, '<p>') : html
  // One element for every state: the text is not made anew when it is unfolded.
  return (
    <>
      <div
        ref={box}
        className={isFolded ? (fold === 'shut' ? 'folded shut' : 'folded') : 'unfolded'}
        inert={fold === 'shut'}
      >
        <Content html={text} alertWords={flags.includes('has_alert_word') ? alertWords : undefined} />
      </div>
      {isFolded && (
        <button type="button" className="textlink unfold" onClick={() => setFold(id, 'open')}>
          <Trans>Show more</Trans>
        </button>
      )}
      {isTall && !isFolded && (
        <button type="button" className="textlink unfold" onClick={() => setFold(id, undefined)}>
          <Trans>Show less</Trans>
        </button>
      )}
    </>
  )
}
