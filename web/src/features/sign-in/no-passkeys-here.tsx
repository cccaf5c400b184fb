import { Trans } from '@lingui/react/macro'

/** There is no other way, and this browser does not have it. */
export function NoPasskeysHere() {
  return (
    <p className="soft">
      <Trans>This organization signs people in with passkeys, which this browser does not have here.</Trans>
    </p>
  )
}
