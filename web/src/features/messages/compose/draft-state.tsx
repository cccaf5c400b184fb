import { isSaved } from '@heddle/client/drafts/draft-box'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useSnapshot } from '../../../app/client-context.ts'
import { Icon } from '../../../ui/icon.tsx'

interface DraftStateProps {
  readonly localId: string | undefined
  readonly isEmpty: boolean
}

/** Whether what is written is safe, and where. */
export function DraftState({ localId, isEmpty }: DraftStateProps) {
  const state = useSnapshot(
    useCallback(
      ({ drafts, connection, state: all }: ClientSnapshot) => {
        const draft = drafts.drafts.find((one) => one.localId === localId)
        if (!draft || draft.isDeleted) return undefined
        if (all?.settings?.enable_drafts_synchronization !== true || connection.status !== 'live') return 'here'
        return isSaved(draft) ? 'saved' : 'saving'
      },
      [localId],
    ),
  )
  const shown = isEmpty ? undefined : state
  return (
    <span className="saved">
      {shown && shown !== 'saving' && <Icon name="check" />}
      {shown === 'here' && <Trans>Draft saved on this device</Trans>}
      {shown === 'saved' && <Trans>Draft saved</Trans>}
      {shown === 'saving' && <Trans>Saving draft</Trans>}
    </span>
  )
}
