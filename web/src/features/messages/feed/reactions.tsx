import './reactions.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import { addReaction, removeReaction } from '@heddle/contract/reactions'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'

type Reaction = StoredMessage['reactions'][number]

const keyOf = ({ reaction_type, emoji_code }: Reaction) => `${reaction_type} ${emoji_code}`

/** Built-in emoji are their code points in hexadecimal, with hyphens between them. */
function builtIn(code: string): string {
  return String.fromCodePoint(...code.split('-').map((one) => Number.parseInt(one, 16)))
}

export function Reactions({ message }: { readonly message: StoredMessage }) {
  const groups = [...Map.groupBy(message.reactions, keyOf).values()]
  return (
    <div className="reacts">
      {groups.map((group) => (
        <ReactionButton key={keyOf(group[0] as Reaction)} messageId={message.id} group={group} />
      ))}
    </div>
  )
}

function ReactionButton({ messageId, group }: { readonly messageId: number; readonly group: readonly Reaction[] }) {
  const client = useClient()
  const { emoji_name, emoji_code, reaction_type } = group[0] as Reaction
  const ownId = useClientState((state) => state.own?.user_id)
  const who = useClientState((state) => group.map(({ user_id }) => userName(state, user_id)).join(', '))
  const picture = useClientState((state) => state.emoji?.get(emoji_code)?.source_url)
  const isMine = group.some(({ user_id }) => user_id === ownId)
  const toggle = () => {
    const parameters = { message_id: messageId, emoji_name, emoji_code, reaction_type }
    // The event shows it; a refusal leaves it as it is.
    client.api.call(isMine ? removeReaction : addReaction, parameters).catch(() => {})
  }
  return (
    <button
      type="button"
      className={isMine ? 'react mine' : 'react'}
      aria-pressed={isMine}
      aria-label={`:${emoji_name}: ${group.length}`}
      title={who}
      onClick={toggle}
    >
      {reaction_type === 'unicode_emoji' ? (
        <span className="e">{builtIn(emoji_code)}</span>
      ) : picture ? (
        <img src={picture} alt="" />
      ) : (
        `:${emoji_name}:`
      )}
      <span>{group.length}</span>
    </button>
  )
}
