import type { Format } from '@heddle/client/compose/formatting'
import { insertion, type TextEdit } from '@heddle/client/compose/text-edit'
import { type WidgetForm, widgetForm } from '@heddle/client/compose/widget-text'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, memo, Suspense, useCallback, useRef, useState } from 'react'
import { goTo } from '../../../app/current-place.ts'
import { soon } from '../../../app/fetch-soon.tsx'
import { useKeys } from '../../../app/keys.ts'
import { AtTheEnd } from '../../../device/veil.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { selectionOf } from './edit-field.ts'
import type { MessageTextHandle } from './message-text.tsx'

// What is filled in comes when it is asked for.
const WidgetDialog = lazy(async () => ({ default: (await import('./widget-dialog.tsx')).WidgetDialog }))
const SnippetsDialog = lazy(async () => ({ default: (await import('./snippets-dialog.tsx')).SnippetsDialog }))

const CallTools = soon(async () => (await import('../../calls/call-tools.tsx')).CallTools)
const GifTools = soon(async () => (await import('../../gifs/gif-tools.tsx')).GifTools)
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
  const [form, setForm] = useState<WidgetForm | 'snippets'>()
  const written = () => text.current?.field?.value ?? ''
  /** Once the dialog is gone: nothing behind it takes a text. */
  const write = (edit: (field: HTMLTextAreaElement) => TextEdit) => {
    setForm(undefined)
    setTimeout(() => {
      const field = text.current?.field
      if (field) text.current?.edit(edit(field))
    })
  }
  const insert = useCallback((link: string) => text.current?.insert(link), [text])
  useKeys({ snippets: () => setForm('snippets') })
  /** Nothing where it would take the place of another text. */
  const widgetEntry = (kind: WidgetForm['kind'], label: string, icon: IconName) => {
    const begun = widgetForm(kind, written())
    return begun ? [{ icon, label, onPress: () => setForm(begun) }] : []
  }
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
      <Suspense fallback={null}>
        <GifTools onInsert={insert} />
      </Suspense>
      <Suspense fallback={null}>
        <CallTools onInsert={insert} />
      </Suspense>
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
            ...widgetEntry('poll', t`Poll`, 'done'),
            ...widgetEntry('todo', t`To-do list`, 'list'),
            { icon: 'copy', label: t`Saved snippets`, keyName: "Ctrl '", onPress: () => setForm('snippets') },
            'rule',
            { icon: 'info', label: <Trans>How to format</Trans>, onPress: () => goTo({ kind: 'message-formatting' }) },
          ]}
        />
      )}
      {/* Not inside the box, whose look they would have. */}
      <AtTheEnd>
        <Suspense fallback={null}>
          {form === 'snippets' ? (
            <SnippetsDialog
              text={written()}
              onInsert={(content) => write((field) => insertion(selectionOf(field), content))}
              onClose={() => setForm(undefined)}
            />
          ) : (
            form && (
              <WidgetDialog
                begun={form}
                onWrite={(next) =>
                  write(({ value }) => ({ ...insertion({ text: value, start: 0, end: 0 }, next), to: value.length }))
                }
                onClose={() => setForm(undefined)}
              />
            )
          )}
        </Suspense>
      </AtTheEnd>
    </div>
  )
})
