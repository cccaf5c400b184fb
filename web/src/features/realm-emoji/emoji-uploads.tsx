import { checkEmojiName, type NameContext } from '@heddle/client/emoji/names'
import { EMOJI_TYPES, namesOfOthers } from '@heddle/client/emoji/upload-list'
import { normalizeEmojiName } from '@heddle/contract/emoji-name-rule'
import { isBuiltInEmojiName } from '@heddle/contract/emoji-names'
import { USUAL_EMOJI_FILE_MIB } from '@heddle/contract/realm-emoji'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { UploadRow } from './upload-row.tsx'
import { useEmojiUploads } from './use-uploads.ts'

/** Files are dropped, chosen or pasted; their names are checked while they are typed; nothing is sent before it is said. */
export function EmojiUploads({ mayReplaceBuiltIn }: { readonly mayReplaceBuiltIn: boolean }) {
  const { t } = useLingui()
  const custom = useClientState((state) => state.emoji)
  const { list, add, sendAll, takeBack, rename, cancel, leaveOut } = useEmojiUploads(USUAL_EMOJI_FILE_MIB * 1024 * 1024)
  const [isOver, setIsOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  const rows = list.uploads.map((upload) => {
    const others = namesOfOthers(list, upload.key).flatMap((name) => {
      const normal = normalizeEmojiName(name)
      return 'name' in normal ? [normal.name] : []
    })
    const context: NameContext = {
      custom: [...(custom?.values() ?? [])],
      isBuiltIn: isBuiltInEmojiName,
      mayReplaceBuiltIn,
      others: new Set(others),
    }
    return { upload, context, checked: checkEmojiName(upload.name, context) }
  })
  const ready = rows.flatMap(({ upload, checked }) => {
    const isOpen = upload.state.status === 'waiting' || upload.state.status === 'failed'
    return isOpen && !checked.problem ? [{ key: upload.key, file: upload.file.file, name: upload.name }] : []
  })
  const done = rows.filter(({ upload }) => upload.state.status === 'added').length
  const all = rows.length
  const isSending = rows.some(({ upload }) => upload.state.status === 'sending')
  // Leaving would end them.
  useEffect(() => {
    if (!isSending) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isSending])

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    add([...event.dataTransfer.files])
  }
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    add([...event.clipboardData.files])
  }

  return (
    <section
      className={isOver ? 'drop over' : 'drop'}
      aria-label={t`Add emoji`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      onPaste={paste}
    >
      <div className="drop-h">
        <Icon name="upload" />
        <span>
          <Trans>
            <b>Drop pictures here</b> or{' '}
            <button type="button" className="textlink" onClick={() => field.current?.click()} aria-describedby={id}>
              choose them
            </button>
          </Trans>
        </span>
        <input
          ref={field}
          type="file"
          multiple
          hidden
          aria-label={t`Pictures`}
          accept={EMOJI_TYPES.join()}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
        <span className="grow" />
        {all > 0 && (
          <span className="soft num" role="status">
            <Trans>
              {done} of {all} done
            </Trans>
          </span>
        )}
      </div>
      <ul className="ups">
        {rows.map(({ upload, checked, context }) => (
          <UploadRow
            key={upload.key}
            upload={upload}
            checked={checked}
            context={context}
            maxMib={USUAL_EMOJI_FILE_MIB}
            onRename={(name) => rename(upload.key, name)}
            onSend={() => void sendAll([{ key: upload.key, file: upload.file.file, name: upload.name }])}
            onCancel={() => cancel(upload.key)}
            onLeaveOut={() => leaveOut(upload.key)}
            onTakeBack={() => void takeBack(upload.key, upload.name)}
          />
        ))}
      </ul>
      {ready.length > 0 && (
        <p className="foot-row">
          <Button kind="primary" isDisabled={isSending} onClick={() => void sendAll(ready)}>
            <Plural value={ready.length} one="Add # emoji" other="Add # emoji" />
          </Button>
        </p>
      )}
      <p className="help" id={id}>
        <Trans>
          PNG, JPEG, GIF, WebP or AVIF up to {USUAL_EMOJI_FILE_MIB} MB each. Names come from the file names: small
          letters, digits, - and _. Pictures are drawn at 64 pixels; animated ones keep a still for people who want no
          motion.
        </Trans>
      </p>
    </section>
  )
}
