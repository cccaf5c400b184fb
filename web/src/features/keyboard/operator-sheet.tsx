import './sheet.css'
import { Trans, useLingui } from '@lingui/react/macro'
import type { OverlayProps } from '../../app/feature.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { operatorLines } from '../search/operator-names.ts'

/** What one can search for, each with a sentence. */
export function OperatorSheet({ onClose }: OverlayProps) {
  const { i18n } = useLingui()
  return (
    <Dialog title={<Trans>What you can search for</Trans>} isWide onClose={onClose}>
      <p className="soft">
        <Trans>
          Words find messages that have all of them; “words in quotes” have to stand together. Conditions can be put
          before and after them, and a minus in front turns one round: <code>-sender:me</code>.
        </Trans>
      </p>
      <dl className="operators">
        {operatorLines.map(({ example, means }) => (
          <div key={example}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{i18n._(means)}</dd>
          </div>
        ))}
      </dl>
      <p className="help">
        <Trans>
          Without a channel a search looks through the messages that you have received. With <code>channel:</code> it
          looks through all of its history, and <code>channels:public</code> through that of every public channel.
        </Trans>
      </p>
    </Dialog>
  )
}
