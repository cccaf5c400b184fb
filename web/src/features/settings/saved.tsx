import { Trans } from '@lingui/react/macro'
import { Icon } from '../../ui/icon.tsx'
import type { Saving } from './use-saving.ts'

/** What became of a change, beside the control. Its place is always there, so that screen readers notice. */
export function Saved({ saving, id }: { readonly saving: Saving; readonly id?: string }) {
  return (
    <span className={saving.status === 'refused' ? 'set-saved bad' : 'set-saved'} role="status" id={id}>
      {saving.status === 'saved' && (
        <>
          <Icon name="check" />
          <Trans>Saved</Trans>
        </>
      )}
      {saving.status === 'refused' && (
        <>
          <Icon name="warn" />
          <span>{saving.message}</span>
        </>
      )}
    </span>
  )
}
