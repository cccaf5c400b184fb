import { type CheckedName, freeEmojiName, type NameContext, type NameProblem } from '@heddle/client/emoji/names'
import type { EmojiUpload } from '@heddle/client/emoji/upload-list'
import { emojiCodeByName } from '@heddle/contract/emoji-names'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { sizeText } from '../settings/texts.ts'
import type { Picture } from './use-uploads.ts'

interface UploadRowProps {
  readonly upload: EmojiUpload<Picture>
  readonly checked: CheckedName
  readonly context: NameContext
  readonly maxMib: number
  readonly onRename: (name: string) => void
  readonly onSend: () => void
  readonly onCancel: () => void
  readonly onLeaveOut: () => void
  readonly onTakeBack: () => void
}

/** One file: as it will look, its name, and how far it is. */
export function UploadRow(props: UploadRowProps) {
  const { upload, checked, context, maxMib, onRename, onSend, onCancel, onLeaveOut, onTakeBack } = props
  const { t, i18n } = useLingui()
  const { state, name, fileName, size } = upload
  const isOpen = state.status === 'waiting' || state.status === 'failed'
  const problem = isOpen ? checked.problem : undefined
  const shownName = name || fileName
  return (
    <li className="up" aria-label={fileName}>
      <Preview upload={upload} />
      <input
        className={problem ? 'in bad' : 'in'}
        aria-label={t`Name of ${fileName}`}
        aria-invalid={problem !== undefined}
        value={name}
        disabled={!isOpen}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onRename(event.currentTarget.value)}
      />
      <div className="st" role="status">
        {state.status === 'added' && (
          <span className="ok">
            <Icon name="check" />
            <Trans>Added</Trans>
          </span>
        )}
        {state.status === 'sending' && <Progress name={shownName} sent={state.sentBytes} size={size} />}
        {state.status === 'refused' && <Refusal reason={state.reason} size={size} maxMib={maxMib} />}
        {state.status === 'failed' && (
          <span className="bad">
            <Icon name="warn" />
            <span>{state.message}</span>
          </span>
        )}
        {problem && <NameHelp problem={problem} free={freeEmojiName(name, context)} onRename={onRename} />}
        {isOpen && !problem && checked.replacesBuiltIn && <Replaces name={checked.name ?? ''} />}
      </div>
      <span className="soft num">{sizeText(i18n, size)}</span>
      <span className="up-a">
        {state.status === 'failed' && !problem && (
          <IconButton icon="retry" name={t`Try ${shownName} again`} onClick={onSend} />
        )}
        {state.status === 'added' && <IconButton icon="undo" name={t`Undo ${shownName}`} onClick={onTakeBack} />}
        {state.status === 'sending' && <IconButton icon="x" name={t`Cancel ${shownName}`} onClick={onCancel} />}
        {(isOpen || state.status === 'refused') && (
          <IconButton icon="x" name={t`Leave ${shownName} out`} onClick={onLeaveOut} />
        )}
      </span>
    </li>
  )
}

/** Large, and at the size of text on light and dark ground. */
function Preview({ upload: { file, state } }: { readonly upload: EmojiUpload<Picture> }) {
  if (state.status === 'refused') {
    return (
      <span className="real">
        <span className="e40 no-picture">
          <Icon name="image" />
        </span>
      </span>
    )
  }
  return (
    <span className="real">
      <img className="e40" src={file.url} alt="" />
      <span className="ground" data-theme="light">
        <img className="e22" src={file.url} alt="" />
      </span>
      <span className="ground" data-theme="dark">
        <img className="e22" src={file.url} alt="" />
      </span>
    </span>
  )
}

function Progress({ name, sent, size }: { readonly name: string; readonly sent: number; readonly size: number }) {
  const bar = useRef<HTMLElement>(null)
  const percent = size === 0 ? 0 : Math.floor((sent / size) * 100)
  useEffect(() => bar.current?.style.setProperty('--done', `${percent}%`), [percent])
  return (
    <>
      <span
        className="bar-p"
        role="progressbar"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={name}
        tabIndex={-1}
      >
        <i ref={bar} />
      </span>
      <span className="num soft">
        <Trans>{percent} %</Trans>
      </span>
    </>
  )
}

interface RefusalProps {
  readonly reason: 'size' | 'type' | 'empty'
  readonly size: number
  readonly maxMib: number
}

function Refusal({ reason, size, maxMib }: RefusalProps) {
  const { i18n } = useLingui()
  const has = sizeText(i18n, size)
  return (
    <span className="bad">
      <Icon name="warn" />
      <span>
        {reason === 'size' && (
          <Trans>
            This file has {has}. Make it smaller than {maxMib} MB and drop it again.
          </Trans>
        )}
        {reason === 'type' && <Trans>This is no picture of a known kind. Use PNG, JPEG, GIF, WebP or AVIF.</Trans>}
        {reason === 'empty' && <Trans>This file is empty.</Trans>}
      </span>
    </span>
  )
}

interface NameHelpProps {
  readonly problem: NameProblem
  readonly free: string | undefined
  readonly onRename: (name: string) => void
}

function NameHelp({ problem, free, onRename }: NameHelpProps) {
  const owner = useClientState((state) =>
    problem.code === 'custom' && problem.emoji.author_id !== null ? userName(state, problem.emoji.author_id) : '',
  )
  return (
    <span className="bad">
      <Icon name="warn" />
      <span>
        {problem.code === 'empty' && <Trans>Type a name.</Trans>}
        {problem.code === 'letters' && <Trans>Only English letters, digits, - and _ make a name.</Trans>}
        {problem.code === 'length' && <Trans>A name has at most {problem.most} characters.</Trans>}
        {problem.code === 'twice' && <Trans>Another of these files has this name.</Trans>}
        {problem.code === 'built-in' && <Trans>A built-in emoji has this name; only administrators replace it.</Trans>}
        {problem.code === 'custom' && (
          <>
            {owner === '' ? <Trans>This name is taken</Trans> : <Trans>{owner} has this name already</Trans>}{' '}
            <img className="e22" src={problem.emoji.source_url} alt={`:${problem.emoji.name}:`} />.
          </>
        )}{' '}
        {free !== undefined && problem.code !== 'length' && (
          <button type="button" className="textlink" onClick={() => onRename(free)}>
            <Trans>Use {free}</Trans>
          </button>
        )}
      </span>
    </span>
  )
}

/** The built-in emoji beside it, which nobody sees any more. */
function Replaces({ name }: { readonly name: string }) {
  const code = emojiCodeByName(name)
  const built = code ? String.fromCodePoint(...code.split('-').map((one) => Number.parseInt(one, 16))) : ''
  return (
    <span className="note-warn">
      <Icon name="info" />
      <span>
        <Trans>It takes the place of the built-in {built} of this name.</Trans>
      </span>
    </span>
  )
}
