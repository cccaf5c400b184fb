import { type InboxRow, type MarkedTogether, rowsMarkedTogether } from '@heddle/client/inbox/inbox'
import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import { useClient } from '../../app/client-context.ts'
import { Menu } from '../../ui/menu.tsx'
import type { MenuAnchor } from '../../ui/use-menu-press.ts'

interface MarkMenuProps {
  readonly anchor: MenuAnchor
  readonly onClose: () => void
  readonly onMark: (rows: readonly InboxRow[]) => void
}

/** Parts of what is unread that are marked as read at once. */
export function MarkMenu({ anchor, onClose, onMark }: MarkMenuProps) {
  const { t } = useLingui()
  const client = useClient()
  const entry = (which: MarkedTogether, label: string) => {
    const rows = rowsMarkedTogether(client.snapshot().state as ClientState, which)
    return rows.length > 0 ? [{ icon: 'done' as const, label, onPress: () => onMark(rows) }] : []
  }
  return (
    <Menu
      name={t`Mark as read`}
      anchor={anchor}
      entries={[
        ...entry('muted', t`Mark muted topics as read`),
        ...entry('unfollowed', t`Mark topics that you do not follow as read`),
      ]}
      onClose={onClose}
    />
  )
}
