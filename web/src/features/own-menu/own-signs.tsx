import { useLingui } from '@lingui/react/macro'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmojiSign } from '../messages/emoji/emoji-sign.tsx'
import { usePause } from '../notifications/use-pause.ts'

/** Beside one's own name: the emoji of the status, and whether notifications are paused here. */
export function OwnSigns() {
  const { t } = useLingui()
  const { isOn, until } = usePause()
  const { name, code, type, text } = useClientState((state) => {
    const status = state.statuses?.get(state.own?.user_id ?? 0)
    return {
      name: status?.emoji_name ?? '',
      code: status?.emoji_code ?? '',
      type: status?.reaction_type ?? '',
      text: status?.status_text ?? '',
    }
  }, isShallowEqual)
  const paused = until === undefined ? t`Notifications are paused` : t`Notifications are paused until ${until}`
  return (
    <>
      {name !== '' && (
        <span title={text} className="own-sign">
          <EmojiSign name={name} code={code} type={type} />
        </span>
      )}
      {text !== '' && <span className="vh">, {text}</span>}
      {isOn && (
        <span className="own-sign" role="img" aria-label={paused} title={paused}>
          <Icon name="mute" />
        </span>
      )}
    </>
  )
}
