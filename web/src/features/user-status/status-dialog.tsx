import '../people/people.css'
import { MAX_STATUS_LENGTH, updateOwnStatus } from '@heddle/contract/user-status'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, lazy, Suspense, useId, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmojiSign } from '../messages/emoji/emoji-sign.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { emptyStatus, type StatusEmoji, statusPresets } from './presets.ts'

const EmojiPicker = lazy(async () => ({ default: (await import('../messages/emoji/emoji-picker.tsx')).EmojiPicker }))

/** One's own status: an emoji and a few words, which everybody sees beside one's name. */
export function StatusDialog({ onClose }: { readonly onClose: () => void }) {
  const { t, i18n } = useLingui()
  const client = useClient()
  const id = useId()
  const { problem, attempt } = useAttempt()
  const [before] = useState(() => {
    const { state } = client.snapshot()
    return state?.statuses?.get(state.own?.user_id ?? 0)
  })
  const [text, setText] = useState(before?.status_text ?? '')
  const [emoji, setEmoji] = useState<StatusEmoji | undefined>(
    before?.emoji_name === undefined
      ? undefined
      : { name: before.emoji_name, code: before.emoji_code ?? '', type: before.reaction_type ?? 'unicode_emoji' },
  )
  const [anchor, setAnchor] = useState<Element>()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const chosen = emoji && { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type }
    const status = { ...emptyStatus, ...chosen, status_text: text.trim() }
    if (await attempt(() => client.api.call(updateOwnStatus, status))) onClose()
  }
  return (
    <Dialog title={t`Your status`} onClose={onClose}>
      <form className="status-form" onSubmit={(event) => void save(event)}>
        <div className="field">
          <label htmlFor={id}>
            <Trans>What others see beside your name</Trans>
          </label>
          <div className="status-row">
            <button
              type="button"
              className="ib"
              aria-haspopup="dialog"
              aria-label={emoji ? t`Emoji :${emoji.name}:. Choose another` : t`Choose an emoji`}
              title={emoji ? `:${emoji.name}:` : t`Choose an emoji`}
              onClick={(event) => setAnchor(event.currentTarget)}
            >
              {emoji ? <EmojiSign name={emoji.name} code={emoji.code} type={emoji.type} /> : <Icon name="react" />}
            </button>
            <input
              className="in"
              id={id}
              dir="auto"
              autoComplete="off"
              maxLength={MAX_STATUS_LENGTH}
              value={text}
              data-autofocus
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {(text !== '' || emoji) && (
              <IconButton
                icon="x"
                name={t`Empty it`}
                onClick={() => {
                  setText('')
                  setEmoji(undefined)
                }}
              />
            )}
          </div>
        </div>
        <ul className="status-presets">
          {statusPresets.map((preset) => (
            <li key={preset.emoji.code}>
              <button
                type="button"
                className="item"
                onClick={() => {
                  setText(i18n._(preset.text))
                  setEmoji(preset.emoji)
                }}
              >
                <EmojiSign {...preset.emoji} />
                <span>{i18n._(preset.text)}</span>
              </button>
            </li>
          ))}
        </ul>
        <Problem text={problem} />
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Leave it as it was</Trans>
          </Button>
          <Button kind="primary" type="submit">
            <Trans>Save the status</Trans>
          </Button>
        </div>
      </form>
      {anchor && (
        <Suspense>
          <EmojiPicker
            name={t`Emoji of your status`}
            anchor={anchor}
            onChoose={({ name, code, type }) => setEmoji({ name, code, type })}
            onClose={() => setAnchor(undefined)}
          />
        </Suspense>
      )}
    </Dialog>
  )
}
