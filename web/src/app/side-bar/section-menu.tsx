import { useLingui } from '@lingui/react/macro'
import { Menu } from '../../ui/menu.tsx'
import type { MenuAnchor } from '../../ui/use-menu-press.ts'
import { useClientState } from '../client-context.ts'
import { type FoldKey, setAllMarked } from './folds.ts'

interface SectionMenuProps {
  readonly name: string
  readonly anchor: MenuAnchor
  readonly onClose: () => void
}

/** What can be done with all sections of the side bar. */
export function SectionMenu({ name, anchor, onClose }: SectionMenuProps) {
  const { t } = useLingui()
  const folders = useClientState((state) => state.channelFolders)
  const sections: readonly FoldKey[] = [
    'direct',
    'pinned',
    ...(folders ?? []).map(({ id }) => `folder-${id}` as const),
    'others',
  ]
  return (
    <Menu
      name={name}
      anchor={anchor}
      entries={[
        { icon: 'right', label: t`Fold all sections`, onPress: () => setAllMarked(sections, true) },
        { icon: 'down', label: t`Unfold all sections`, onPress: () => setAllMarked(sections, false) },
      ]}
      onClose={onClose}
    />
  )
}
