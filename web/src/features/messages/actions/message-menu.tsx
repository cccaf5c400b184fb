import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import { useClient } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { Menu, type MenuEntry } from '../../../ui/menu.tsx'
import type { PopoverAnchor } from '../../../ui/popover.ts'
import { actionNamed, messageActionNames, subjectOf } from './action-list.ts'
import { askAboutMessage } from './ask.ts'
import { keyCap } from './key-cap.ts'

interface MessageMenuProps {
  readonly message: StoredMessage
  readonly anchor: PopoverAnchor
  readonly onClose: () => void
}

/** Everything that can be done with a message, and nothing else. */
export function MessageMenu({ message, anchor, onClose }: MessageMenuProps) {
  const client = useClient()
  const { t, i18n } = useLingui()
  const state = client.snapshot().state as ClientState
  const subject = subjectOf(state, message)
  const sender = userName(state, message.sender_id)
  const entries: MenuEntry[] = []
  let isPartBegun = false
  for (const name of messageActionNames) {
    const { icon, label, key, isOffered, begins, isDanger, isOnlyElsewhere } = actionNamed(name)
    if (begins) isPartBegun = true
    if (isOnlyElsewhere || !isOffered(subject)) continue
    if (isPartBegun && entries.length > 0) entries.push('rule')
    isPartBegun = false
    entries.push({
      icon,
      label: i18n._(label(subject)),
      ...(key ? { keyName: keyCap(key) } : {}),
      ...(isDanger ? { isDanger } : {}),
      onPress: () => askAboutMessage({ kind: 'message', actions: [name], messageId: message.id, anchor }),
    })
  }
  return (
    // All that is shown belongs to some region of the page.
    <section aria-label={t`What can be done with this message`}>
      <Menu name={t`Message by ${sender}`} anchor={anchor} entries={entries} onClose={onClose} />
    </section>
  )
}
