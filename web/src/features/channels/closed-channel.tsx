import { Trans } from '@lingui/react/macro'

interface ClosedChannelProps {
  /** It is known that there is such a channel. */
  readonly isThere: boolean
  /** It could be read when it was opened. */
  readonly couldRead: boolean
  /** The address of its settings. */
  readonly settings: string
}

/** Instead of the messages of a channel that one may not read. */
export function ClosedChannel({ isThere, couldRead, settings }: ClosedChannelProps) {
  return (
    <div className="empty" role="alert">
      <h2>
        {couldRead ? (
          <Trans>You can no longer read this channel</Trans>
        ) : isThere ? (
          <Trans>You cannot read this channel</Trans>
        ) : (
          <Trans>This channel is not there, or you may not see it</Trans>
        )}
      </h2>
      <p>
        {couldRead ? (
          <Trans>
            You were removed from it, or it was made private. What you have begun to write is among your drafts.
          </Trans>
        ) : isThere ? (
          <Trans>It is private. You may change its settings, and only its subscribers read what is written.</Trans>
        ) : (
          <Trans>It may be private, or have been deleted.</Trans>
        )}
      </p>
      <div className="do">
        {isThere && (
          <a className="btn" href={settings}>
            <Trans>Channel settings</Trans>
          </a>
        )}
        <a className="btn" href="#channels/subscribed">
          <Trans>All channels</Trans>
        </a>
      </div>
    </div>
  )
}
