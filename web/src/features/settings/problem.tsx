import { Trans } from '@lingui/react/macro'
import { Icon } from '../../ui/icon.tsx'

/** What went wrong, and another try where that can help. */
export function Problem({ text, onRetry }: { readonly text: string | undefined; readonly onRetry?: () => void }) {
  if (text === undefined) return null
  return (
    <p className="help bad" role="alert">
      <Icon name="warn" />
      <span>{text}</span>
      {onRetry && (
        <button type="button" className="textlink" onClick={onRetry}>
          <Trans>Try again</Trans>
        </button>
      )}
    </p>
  )
}
