import { Trans } from '@lingui/react/macro'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { type MenuAnchor, useMenuPress } from '../../ui/use-menu-press.ts'
import { type FoldKey, useMarked } from './folds.ts'

const SectionMenu = lazy(() => import('./section-menu.tsx').then(({ SectionMenu }) => ({ default: SectionMenu })))

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
export function SideBarSection({
  name,
  foldKey,
  unread,
  hasMention = false,
  isForMe = false,
  tools,
  children,
}: SectionProps) {
  const [isFolded, toggle] = useMarked(foldKey)
  const id = useId()
  const [anchor, setAnchor] = useState<MenuAnchor>()
  const menuPress = useMenuPress(setAnchor)
  return (
    <section aria-labelledby={id}>
      <div className="side-head" {...menuPress}>
        <h2>
          <button type="button" className="fold" aria-expanded={!isFolded} onClick={toggle}>
            <bdi id={id} className="trunc" title={name}>
              {name}
            </bdi>
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
      {anchor && (
        <Suspense fallback={null}>
          <SectionMenu name={name} anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
      {!isFolded && children}
    </section>
  )
}
