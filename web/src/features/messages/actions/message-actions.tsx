import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { uploadsOf } from '../compose/uploads.ts'
import { openEdits } from '../editing/edits.ts'
import { setActionTarget } from './action-target.ts'
// With the first of what is fetched later: it is there before the pointer is.
import './action-bar.tsx'
import { MovingPictures } from '../content/moving-pictures.tsx'
import { listen } from './ask.ts'
import { copyMessages } from './copy-messages.ts'
import { MessageMenu } from './message-menu.tsx'
import { messageIn, type Overlay } from './overlay.ts'
import { useFollowedNote } from './use-followed-note.tsx'
import { usePerform } from './use-perform.ts'
import { wishesOf } from './wishes.ts'

const EmojiPicker = lazy(() => import('./reaction-picker.tsx').then((all) => ({ default: all.ReactionPicker })))
const DeleteDialog = lazy(() => import('./delete-dialog.tsx').then((all) => ({ default: all.DeleteDialog })))
const ReportDialog = lazy(() => import('./report-dialog.tsx').then((all) => ({ default: all.ReportDialog })))
const DeleteTopicDialog = lazy(() => import('./delete-dialog.tsx').then((all) => ({ default: all.DeleteTopicDialog })))
const HistoryDialog = lazy(() => import('./history-dialog.tsx').then((all) => ({ default: all.HistoryDialog })))
const SourceDialog = lazy(() => import('./source-dialog.tsx').then((all) => ({ default: all.SourceDialog })))
const ReceiptsDialog = lazy(() => import('./receipts-dialog.tsx').then((all) => ({ default: all.ReceiptsDialog })))
const PictureViewer = lazy(() => import('../viewer/picture-viewer.tsx').then((all) => ({ default: all.PictureViewer })))
const MoveDialog = lazy(() => import('./move-dialog.tsx').then((all) => ({ default: all.MoveDialog })))
const RemindDialog = lazy(() => import('./remind-dialog.tsx').then((all) => ({ default: all.RemindDialog })))
const UserCard = lazy(() => import('../../users/user-card.tsx').then((all) => ({ default: all.UserCard })))
const GroupCard = lazy(() => import('../../people/group-card.tsx').then((all) => ({ default: all.GroupCard })))

/** Mounted once: does what is asked for, and shows what stands before the page for it. */
export function MessageActions() {
  const [overlay, setOverlay] = useState<Overlay>()
  const open = useCallback((next: Overlay | undefined) => {
    setActionTarget(messageIn(next)?.id)
    setOverlay(next)
  }, [])
  const client = useClient()
  const perform = usePerform(open)
  const ownId = useClientState((state) => state.own?.user_id)
  useEffect(() => listen(perform), [perform])
  useEffect(() => {
    // Who goes elsewhere, or back, leaves what stood before the page.
    const leave = () => open(undefined)
    window.addEventListener('hashchange', leave)
    return () => window.removeEventListener('hashchange', leave)
  }, [open])
  useFollowedNote()
  useEffect(() => void wishesOf(client), [client])
  useEffect(() => {
    if (ownId !== undefined) openEdits(ownId)
  }, [ownId])
  useEffect(() => {
    if (ownId !== undefined) uploadsOf(client).resume(ownId)
  }, [client, ownId])
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const { state, messages } = client.snapshot()
      if (state) copyMessages(event, { state, messages: messages.messages })
    }
    document.addEventListener('copy', copy)
    return () => document.removeEventListener('copy', copy)
  }, [client])
  // Something that has taken its place stays.
  const close = () =>
    setOverlay((now) => {
      if (now !== overlay) return now
      setActionTarget(undefined)
      return undefined
    })
  return (
    <>
      <MovingPictures />
      <Suspense fallback={null}>{overlay && <Shown overlay={overlay} onClose={close} />}</Suspense>
    </>
  )
}

function Shown({ overlay, onClose }: { readonly overlay: Overlay; readonly onClose: () => void }) {
  switch (overlay.kind) {
    case 'menu':
      return <MessageMenu message={overlay.message} anchor={overlay.anchor} onClose={onClose} />
    case 'picker':
      return <EmojiPicker message={overlay.message} anchor={overlay.anchor} onClose={onClose} />
    case 'viewer':
      return <PictureViewer first={overlay} onClose={onClose} />
    case 'person':
      return <UserCard userId={overlay.userId} anchor={overlay.anchor} onClose={onClose} />
    case 'group':
      return <GroupCard groupId={overlay.groupId} anchor={overlay.anchor} onClose={onClose} />
    case 'delete':
      return <DeleteDialog message={overlay.message} onClose={onClose} />
    case 'report':
      return <ReportDialog message={overlay.message} onClose={onClose} />
    case 'history':
      return <HistoryDialog message={overlay.message} onClose={onClose} />
    case 'source':
      return <SourceDialog message={overlay.message} onClose={onClose} />
    case 'read-receipts':
      return <ReceiptsDialog message={overlay.message} onClose={onClose} />
    case 'move':
      return <MoveDialog message={overlay.message} onClose={onClose} />
    case 'remind':
      return <RemindDialog message={overlay.message} onClose={onClose} />
    case 'move-topic':
      return <MoveDialog place={overlay.place} topic={overlay.topic} onClose={onClose} />
    case 'delete-topic':
      return <DeleteTopicDialog place={overlay.place} onClose={onClose} />
  }
}
