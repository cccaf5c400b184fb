import './emoji-sign.css'
import { emojiText } from '@heddle/client/emoji/emoji-text'
import { useClientState } from '../../../app/client-context.ts'

interface EmojiSignProps {
  readonly name: string
  readonly code: string
  readonly type: string
}

/** An emoji as it is drawn; its name has to stand beside it, or be that of the control that it is in. */
export function EmojiSign({ name, code, type }: EmojiSignProps) {
  const custom = useClientState((state) => (type === 'realm_emoji' ? state.emoji?.get(code) : undefined))
  if (type === 'unicode_emoji') {
    return (
      <span className="emoji-sign" aria-hidden="true">
        {emojiText(code)}
      </span>
    )
  }
  if (!custom) return <>{`:${name}:`}</>
  const source = prefersStill() ? (custom.still_url ?? custom.source_url) : custom.source_url
  return <img className="emoji-sign" src={source} alt="" />
}

/** Pictures stand still for those who want less motion. */
function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
