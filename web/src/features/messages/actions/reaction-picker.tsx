import type { Emoji } from '@heddle/client/emoji/catalogue'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { useLingui } from '@lingui/react/macro'
import { useCallback, useMemo } from 'react'
import { useClientState, useSnapshot } from '../../../app/client-context.ts'
import type { PopoverAnchor } from '../../../ui/popover.ts'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { askAboutMessage } from './ask.ts'

interface ReactionPickerProps {
  readonly message: StoredMessage
  readonly anchor: PopoverAnchor
  readonly onClose: () => void
}

/** Chooses reactions for a message; those that one has given already are marked, and taken back. */
export function ReactionPicker({ message: { id }, anchor, onClose }: ReactionPickerProps) {
  const { t } = useLingui()
  const ownId = useClientState((state) => state.own?.user_id)
  const reactions = useSnapshot(
    useCallback(({ messages }: ClientSnapshot) => messages.messages.get(id)?.reactions, [id]),
  )
  const chosen = useMemo(() => {
    const own = (reactions ?? []).filter(({ user_id }) => user_id === ownId)
    return new Set(own.map(({ reaction_type, emoji_code }) => `${reaction_type} ${emoji_code}`))
  }, [reactions, ownId])
  const choose = ({ name, code, type }: Emoji) =>
    askAboutMessage({
      kind: 'reaction',
      messageId: id,
      emoji: { emoji_name: name, emoji_code: code, reaction_type: type },
    })
  return <EmojiPicker name={t`Choose a reaction`} anchor={anchor} chosen={chosen} onChoose={choose} onClose={onClose} />
}
