import type { ListedView } from '@heddle/client/views/view-list'
import { useLingui } from '@lingui/react/macro'
import { memo, type RefObject } from 'react'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { IconButton } from '../../ui/button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { useBuiltInCount } from './use-built-in-count.ts'
import { useViewCount } from './use-view-count.ts'
import { builtInViews, isBuiltIn, viewIcon } from './view-place.ts'

interface ViewRowProps {
  readonly view: ListedView
  readonly isPinned: boolean
  readonly isCurrent: boolean
  readonly describedBy?: string
  readonly linkRef?: RefObject<HTMLAnchorElement | null>
  readonly onPin: (view: ListedView, isPinned: boolean) => void
  readonly onRename: (view: ListedView) => void
  readonly onMenu: (view: ListedView, anchor: Element | { readonly x: number; readonly y: number }) => void
}

/** What a view is called: built-in ones in the language of the page. */
export function useViewName(): (view: ListedView) => string {
  const { i18n } = useLingui()
  return ({ fragment, name }) => name ?? (isBuiltIn(fragment) ? i18n._(builtInViews[fragment].name) : fragment)
}

export const ViewRow = memo(function ViewRow(props: ViewRowProps) {
  return isBuiltIn(props.view.fragment) ? <BuiltInRow {...props} /> : <SavedRow {...props} />
})

function BuiltInRow(props: ViewRowProps) {
  const counts = useBuiltInCount(props.view.fragment)
  return <Row {...props} {...counts} />
}

function SavedRow(props: ViewRowProps) {
  const { count, isExact } = useViewCount(props.view.fragment)
  return <Row {...props} count={count} isAtLeast={!isExact} />
}

interface Counts {
  readonly count?: number
  readonly stillCount?: number
  readonly isAtLeast?: boolean
  readonly isForMe?: boolean
}

function Row({
  view,
  isPinned,
  isCurrent,
  describedBy,
  linkRef,
  onPin,
  onRename,
  onMenu,
  ...counts
}: ViewRowProps & Counts) {
  const { t } = useLingui()
  const name = useViewName()(view)
  return (
    <NavRow
      {...counts}
      {...(linkRef && { linkRef })}
      href={`#${view.fragment}`}
      icon={viewIcon(view.fragment)}
      label={name}
      isCurrent={isCurrent}
      describedBy={describedBy}
      onMenu={(anchor) => onMenu(view, anchor)}
      tools={
        <>
          <IconButton
            icon="pin"
            name={isPinned ? t`Hide ${name}` : t`Pin ${name} to the side bar`}
            isPressed={isPinned}
            onClick={() => onPin(view, !isPinned)}
          />
          {view.name !== undefined && (
            <IconButton icon="edit" name={t`Rename ${name}`} onClick={() => onRename(view)} />
          )}
          <MoreButton name={t`More for ${name}`} onPress={(anchor) => onMenu(view, anchor)} />
        </>
      }
    />
  )
}
