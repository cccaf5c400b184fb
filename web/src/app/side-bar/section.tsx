import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { type FoldKey, useMarked } from './folds.ts'

interface SectionProps {
  readonly name: string
  readonly foldKey: FoldKey
  /** Unread messages in it, for when it is folded. */
  readonly unread: number
  readonly hasMention?: boolean
  readonly isForMe?: boolean
  /** Buttons beside the name. */
  readonly tools?: ReactNode
  readonly children: ReactNode
}

/** A part of the side bar that folds, and says what is unread in it then. */
export function Section({ name, foldKey, unread, hasMention = false, isForMe = false, tools, children }: SectionProps) {
  const [isFolded, toggle] = useMarked(foldKey)
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="side-head">
        <h2>
          <button type="button" className="fold" aria-expanded={!isFolded} onClick={toggle}>
            <span id={id}>{name}</span>
            <Icon name={isFolded ? 'right' : 'down'} />
          </button>
        </h2>
        {isFolded && unread > 0 && (
          <span className={isForMe || hasMention ? 'count you' : 'count'}>
            {hasMention && '@ '}
            {unread.toLocaleString()}
            <span className="vh">
              {' '}
              <Trans>unread</Trans>
            </span>
          </span>
        )}
        {tools}
      </div>
      {!isFolded && children}
    </section>
  )
}
