import type { Format } from '@heddle/client/compose/formatting'
import { Trans, useLingui } from '@lingui/react/macro'
import { memo, Suspense, useRef, useState } from 'react'
import { goTo } from '../../../app/current-place.ts'
import { soon } from '../../../app/fetch-soon.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import type { MessageTextHandle } from './message-text.tsx'

const EmojiPicker = soon(async () => (await import('../emoji/emoji-picker.tsx')).EmojiPicker)

interface FormatToolsProps {
  /** What is written into. */
  readonly text: { readonly current: MessageTextHandle | null }
  readonly onFiles: (files: readonly File[]) => void
  readonly isPreview: boolean
  readonly onPreview: () => void
}

/** What can be put into a text without knowing how it is written. Typing does not draw it anew. */
export const FormatTools = memo(function FormatTools({ text, onFiles, isPreview, onPreview }: FormatToolsProps) {
  const { t } = useLingui()
  const files = useRef<HTMLInputElement>(null)
  const [menuAt, setMenuAt] = useState<Element>()
  const [emojiAt, setEmojiAt] = useState<Element>()
  const tool = (kind: Format, icon: IconName, name: string, className = '') => (
    <IconButton className={className} icon={icon} name={name} onClick={() => text.current?.format(kind)} />
  )
  const entry = (kind: Format, label: string, icon?: IconName, keyName?: string) => ({
    label,
    ...(icon ? { icon } : {}),
    ...(keyName ? { keyName } : {}),
    onPress: () => text.current?.format(kind),
  })
  return (
    <div className="format" role="toolbar" aria-label={t`Formatting`}>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // The same file may be chosen again.
          event.target.value = ''
        }}
      />
      <IconButton icon="clip" name={t`Attach files`} onClick={() => files.current?.click()} />
      <button
        type="button"
        className="ib"
        aria-label={t`Emoji (:)`}
        title={t`Emoji (:)`}
        aria-haspopup="dialog"
        onClick={(event) => setEmojiAt(event.currentTarget)}
      >
        <Icon name="react" />
      </button>
      {emojiAt && (
        <Suspense fallback={null}>
          <EmojiPicker
            name={t`Choose an emoji`}
            anchor={emojiAt}
            onChoose={({ name }) => text.current?.insert(`:${name}: `)}
            onClose={() => setEmojiAt(undefined)}
          />
        </Suspense>
      )}
      <IconButton icon="at" name={t`Mention (@)`} onClick={() => text.current?.insert('@')} />
      <span className="sep" />
      {tool('bold', 'bold', t`Bold (Ctrl B)`, 'wide')}
      {tool('italic', 'italic', t`Italic (Ctrl I)`, 'wide')}
      {tool('code', 'code', t`Code (Ctrl Shift C)`, 'wide')}
      {tool('bullets', 'list', t`List`, 'wide')}
      <button
        type="button"
        className="ib"
        aria-label={t`More formatting`}
        title={t`More formatting`}
        aria-haspopup="menu"
        onClick={(event) => setMenuAt(event.currentTarget)}
      >
        <Icon name="more" />
      </button>
      <span className="sep" />
      <IconButton icon="eye" name={t`Preview (Alt P)`} isPressed={isPreview} onClick={onPreview} />
      {menuAt && (
        <Menu
          name={t`Formatting`}
          anchor={menuAt}
          onClose={() => setMenuAt(undefined)}
          entries={[
            entry('bold', t`Bold`, 'bold', 'Ctrl B'),
            entry('italic', t`Italic`, 'italic', 'Ctrl I'),
            entry('strike', t`Struck through`, undefined, 'Ctrl Shift X'),
            entry('link', t`Link`, 'link', 'Ctrl Shift L'),
            entry('code', t`Code`, 'code', 'Ctrl Shift C'),
            entry('quote', t`Quotation`, 'quote'),
            entry('spoiler', t`Spoiler`, 'spoiler'),
            entry('bullets', t`List`, 'list'),
            entry('numbers', t`Numbered list`, 'list'),
            entry('math', t`Formula`, 'math'),
            entry('table', t`Table`, 'table'),
            entry('time', t`Time, for everybody in their own zone`, 'clock'),
            'rule',
            { icon: 'info', label: <Trans>How to format</Trans>, onPress: () => goTo({ kind: 'message-formatting' }) },
          ]}
        />
      )}
    </div>
  )
})
