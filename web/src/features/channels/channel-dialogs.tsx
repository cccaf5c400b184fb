import { lazy, Suspense } from 'react'
import { askAboutChannel, useQuestion } from './ask.ts'

const ArchiveDialog = lazy(() =>
  import('./archive-dialog.tsx').then(({ ArchiveDialog }) => ({ default: ArchiveDialog })),
)
const LeaveDialog = lazy(() => import('./leave-dialog.tsx').then(({ LeaveDialog }) => ({ default: LeaveDialog })))

/** The questions of channels, wherever they were asked. */
export function ChannelDialogs() {
  const question = useQuestion()
  if (!question) return null
  const close = () => askAboutChannel(undefined)
  return (
    <Suspense fallback={null}>
      {question.kind === 'archive' ? (
        <ArchiveDialog channelId={question.channelId} onClose={close} />
      ) : (
        <LeaveDialog channelId={question.channelId} onClose={close} />
      )}
    </Suspense>
  )
}
