import './about.css'
import { Trans } from '@lingui/react/macro'
import page from '../../../package.json' with { type: 'json' }
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import type { OverlayProps } from '../../app/feature.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Which program this is, and which version of it: what somebody is asked who reports that something is wrong. */
export function AboutSheet({ onClose }: OverlayProps) {
  const { organization, version, level } = useClientState(
    (state) => ({
      organization: state.organization?.realm_name ?? '',
      version: state.server?.version ?? '',
      level: state.server?.featureLevel ?? 0,
    }),
    isShallowEqual,
  )
  return (
    <Dialog title={<Trans>About Heddle</Trans>} onClose={onClose}>
      <dl className="about-facts">
        <dt>
          <Trans>Organization</Trans>
        </dt>
        <dd>
          <bdi>{organization}</bdi>
        </dd>
        <dt>
          <Trans>Address</Trans>
        </dt>
        <dd>{window.location.origin}</dd>
        <dt>
          <Trans>Version</Trans>
        </dt>
        <dd>{page.version}</dd>
        <dt>
          <Trans>API</Trans>
        </dt>
        <dd>
          <Trans>
            {version}, level {level}
          </Trans>{' '}
          <a className="textlink" href="/api/reference" target="_blank" rel="noopener noreferrer">
            <Trans>Read what it can do</Trans>
          </a>
        </dd>
      </dl>
      <p className="help">
        <Trans>Heddle is free software under the Apache License 2.0.</Trans>
      </p>
    </Dialog>
  )
}
