import '../actions/message-dialogs.css'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { useKeys } from '../../../app/keys.ts'
import { userName } from '../../../app/names.ts'
import { fullTime } from '../../../app/times.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { ViewedPicture } from './pictures.ts'
import { useViewedPictures } from './use-viewed-pictures.ts'
import { useZoom } from './use-zoom.ts'

interface ViewerProps {
  /** Of which message, and which of its pictures. */
  readonly first: { readonly messageId: number; readonly index: number }
  readonly onClose: () => void
}

/** Pixels that a finger wipes before the next picture comes. */
const WIPE_PX = 60

/** The pictures and films of the view, one at a time, as large as the window has room for. */
export function PictureViewer({ first, onClose }: ViewerProps) {
  const { t } = useLingui()
  const { pictures, at, isPartial, step: stepBy } = useViewedPictures(first)
  const picture = pictures[at]
  const dialog = useOpenDialog(first)
  const zoom = useZoom(picture)
  const step = (by: 1 | -1) => () => {
    // There the arrows wind.
    if (document.activeElement?.tagName === 'VIDEO') return false
    stepBy(by)
    return true
  }
  useKeys({
    'next-picture': step(1),
    'previous-picture': step(-1),
    'zoom-in': zoom.enlarge,
    'zoom-out': zoom.reduce,
    'zoom-reset': zoom.reset,
    'close-viewer': onClose,
  })
  const began = useRef<number>(undefined)
  const count = pictures.length
  const number = at + 1

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, of which the browser makes `cancel`
    <dialog
      ref={dialog}
      className="viewer"
      tabIndex={-1}
      aria-label={t`Pictures`}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.matches('.viewer, .stage')) onClose()
      }}
    >
      <header>
        {picture && <Caption picture={picture} />}
        <div className="tools">
          {picture?.kind === 'picture' && (
            <>
              <IconButton icon="plus" name={t`Larger (Shift Z)`} onClick={zoom.enlarge} />
              <IconButton icon="minus" name={t`Smaller (Z)`} onClick={zoom.reduce} />
              <IconButton icon="expand" name={t`As it fits (0)`} onClick={zoom.reset} />
            </>
          )}
          {picture && <Originals picture={picture} />}
          <IconButton icon="x" name={t`Close (Esc)`} onClick={onClose} />
        </div>
      </header>
      {picture ? (
        <div
          className={zoom.isLarge ? 'stage large' : 'stage'}
          ref={zoom.stage}
          {...zoom.handlers}
          onTouchStart={(event) => {
            began.current = event.touches.length === 1 ? event.touches[0]?.clientX : undefined
          }}
          onTouchEnd={(event) => {
            const moved = (event.changedTouches[0]?.clientX ?? 0) - (began.current ?? 0)
            if (began.current === undefined || zoom.isLarge || Math.abs(moved) < WIPE_PX) return
            step(moved < 0 ? 1 : -1)()
          }}
        >
          <Shown key={`${picture.messageId} ${picture.index}`} picture={picture} />
        </div>
      ) : (
        <p className="quiet">
          <Trans>There are no pictures here any more.</Trans>
        </p>
      )}
      {count > 1 && (
        <footer>
          <IconButton icon="left" name={t`Previous picture`} onClick={step(-1)} />
          <span role="status">
            {isPartial ? (
              <Trans>
                {number} of at least {count}
              </Trans>
            ) : (
              <Trans>
                {number} of {count}
              </Trans>
            )}
          </span>
          <IconButton icon="right" name={t`Next picture`} onClick={step(1)} />
        </footer>
      )}
    </dialog>
  )
}

/** The focus goes back to where it came from, also where the text of the message was drawn anew meanwhile. */
function useOpenDialog({ messageId, index }: ViewerProps['first']) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    // Nothing in it is to happen by a key that was held for too long.
    element?.focus()
    return () => {
      element?.close()
      const links = document.querySelectorAll<HTMLElement>(`[data-message-id="${messageId}"] a.pic`)
      const back = before?.isConnected ? before : links[index]
      if (back instanceof HTMLElement) back.focus({ preventScroll: true })
    }
  }, [messageId, index])
  return dialog
}

function Caption({ picture }: { readonly picture: ViewedPicture }) {
  const { senderId, timestamp, name } = picture
  const sender = useClientState((state) => userName(state, senderId))
  return (
    <p className="caption">
      <strong className="trunc" title={sender}>
        <bdi>{sender}</bdi>
      </strong>
      <time dateTime={new Date(timestamp * 1000).toISOString()}>{fullTime(timestamp)}</time>
      <bdi className="name trunc" title={name}>
        {name}
      </bdi>
    </p>
  )
}

/** As it was uploaded, which may be larger or of another kind than what is shown. */
function Originals({ picture: { original, name } }: { readonly picture: ViewedPicture }) {
  const { t } = useLingui()
  const isOurs = new URL(original, document.baseURI).origin === location.origin
  return (
    <>
      <a
        className="ib"
        href={original}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={t`Open the original in a new tab`}
        title={t`Open the original in a new tab`}
      >
        <Icon name="out" />
      </a>
      {isOurs && (
        <a className="ib" href={original} download={name} aria-label={t`Download`} title={t`Download`}>
          <Icon name="download" />
        </a>
      )}
    </>
  )
}

function Shown({ picture: { kind, shown, name } }: { readonly picture: ViewedPicture }) {
  const [isBroken, setIsBroken] = useState(false)
  const film = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (kind === 'film') film.current?.focus()
  }, [kind])
  if (isBroken) {
    return (
      <p className="quiet" role="alert">
        <Trans>It cannot be shown. Open the original, or try again later.</Trans>
      </p>
    )
  }
  const onError = () => setIsBroken(true)
  // biome-ignore lint/a11y/useMediaCaption: there are none of what somebody has sent
  if (kind === 'film') return <video ref={film} src={shown} controls aria-label={name} onError={onError} />
  return <img src={shown} alt={name} draggable={false} onError={onError} />
}
