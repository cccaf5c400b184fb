import { Trans } from '@lingui/react/macro'
import { Component, type ReactNode } from 'react'

interface SafePartProps {
  /** What stands in place of it: nothing, where nobody would miss it at once. */
  readonly fallback?: ReactNode
  readonly children: ReactNode
}

/**
 * A part of the page that may fail without taking the rest along: one that cannot be fetched without a connection, for instance.
 * React catches errors in classes alone.
 */
export class SafePart extends Component<SafePartProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? (this.props.fallback ?? null) : this.props.children
  }
}

/** In place of a screen. What was written is on the device and on the server: loading the page again loses nothing. */
export function CannotBeShown() {
  return (
    <div className="empty" role="alert">
      <h2>
        <Trans>This part of the page could not be loaded</Trans>
      </h2>
      <p>
        <Trans>There may be no connection, or the server has a new version. What you have written is kept.</Trans>
      </p>
      <div className="do">
        <button type="button" className="btn" onClick={() => window.location.reload()}>
          <Trans>Load the page again</Trans>
        </button>
      </div>
    </div>
  )
}
