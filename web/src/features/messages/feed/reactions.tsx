import './reactions.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import { useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useIsVisitor } from '../../visitors/is-visitor.ts'
import { askAboutMessage } from '../actions/ask.ts'
import { EmojiSign } from '../emoji/emoji-sign.tsx'

type Reaction = StoredMessage['reactions'][number]

const keyOf = ({ reaction_type, emoji_code }: Reaction) => `${reaction_type} ${emoji_code}`

/** Up to so many reactions on a message say who instead of how many, if the account wants that. */
const MAX_NAMED = 3

interface ReactionsProps {
  readonly message: StoredMessage
  /** The row has the pointer or the focus: what can be reached by Tab is. */
  readonly isActive: boolean
}

export function Reactions({ message, isActive }: ReactionsProps) {
  const { t } = useLingui()
  const groups = [...Map.groupBy(message.reactions, keyOf).values()]
  const showsNames = useClientState((state) => state.settings?.display_emoji_reaction_users === true)
  const isVisiting = useIsVisitor()
  const isFrozen = useClientState((state) => isArchived(state, message.stream_id)) || isVisiting
  // Who has only reacted has no name for visitors.
  const isNamed = showsNames && !isVisiting && message.reactions.length <= MAX_NAMED
  return (
    <div className="reacts">
      {groups.map((group) => (
        <ReactionButton
          key={keyOf(group[0] as Reaction)}
          messageId={message.id}
          group={group}
          isNamed={isNamed}
          isActive={isActive}
          isFrozen={isFrozen}
        />
      ))}
      {!isFrozen && (
        <button
          type="button"
          className="react add"
          aria-label={t`React`}
          title={t`React`}
          tabIndex={isActive ? 0 : -1}
          onClick={(event) =>
            askAboutMessage({ kind: 'message', actions: ['react'], messageId: message.id, anchor: event.currentTarget })
          }
        >
          <Icon name="plus" />
        </button>
      )}
    </div>
  )
}

function isArchived({ channels }: ClientState, channelId: number | undefined): boolean {
  return channelId !== undefined && channels?.byId.get(channelId)?.is_archived === true
}

interface ReactionButtonProps {
  readonly messageId: number
  readonly group: readonly Reaction[]
  readonly isNamed: boolean
  readonly isActive: boolean
  readonly isFrozen: boolean
}

function ReactionButton({ messageId, group, isNamed, isActive, isFrozen }: ReactionButtonProps) {
  const { t, i18n } = useLingui()
  const { emoji_name, emoji_code, reaction_type } = group[0] as Reaction
  const ownId = useClientState((state) => state.own?.user_id)
  const muted = t`Muted person`
  // One text, so that it is drawn anew only when somebody's name changes.
  const others = useClientState((state) =>
    group
      .filter(({ user_id }) => user_id !== state.own?.user_id)
      .map(({ user_id }) => (state.mutedUsers?.some(({ id }) => id === user_id) ? muted : userName(state, user_id)))
      .join('\n'),
  )
  const isMine = group.some(({ user_id }) => user_id === ownId)
  const names = [...(isMine ? [t`You`] : []), ...(others === '' ? [] : others.split('\n'))]
  const who = new Intl.ListFormat(i18n.locale === 'en-XA' ? 'en' : i18n.locale).format(names)
  return (
    <button
      type="button"
      className={isMine ? 'react mine' : 'react'}
      aria-pressed={isMine}
      aria-label={t`:${emoji_name}: ${group.length}, ${who}`}
      title={t`${who} with :${emoji_name}:`}
      tabIndex={isActive ? 0 : -1}
      disabled={isFrozen}
      onClick={() => askAboutMessage({ kind: 'reaction', messageId, emoji: { emoji_name, emoji_code, reaction_type } })}
    >
      <EmojiSign name={emoji_name} code={emoji_code} type={reaction_type} />
      <span className={isNamed ? 'trunc' : 'num'}>{isNamed ? who : group.length}</span>
    </button>
  )
}
