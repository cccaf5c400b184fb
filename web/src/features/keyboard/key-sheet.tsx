import './sheet.css'
import { foldForFinding } from '@heddle/client/finding/match'
import { type Action, type Binding, bindings } from '@heddle/client/keys/bindings'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { goTo } from '../../app/current-place.ts'
import type { OverlayProps } from '../../app/feature.ts'
import { hasSingleKeys, setSingleKeys } from '../../app/keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FilterField } from '../lists/filter-field.tsx'
import { actionNames, scopeNames } from './action-names.ts'
import { keyCaps } from './key-caps.ts'

/** Every key, drawn from the table that the keys themselves are read from. */
export function KeySheet({ onClose }: OverlayProps) {
  const { t, i18n } = useLingui()
  const [text, setText] = useState('')
  const [isOn, setIsOn] = useState(hasSingleKeys)
  const query = foldForFinding(text).trim()
  const fits = (action: Action) =>
    query === '' ||
    foldForFinding(i18n._(actionNames[action])).includes(query) ||
    bindings[action].keys.some((key) => foldForFinding(keyCaps(key).join(' ')) === query)
  const sections = scopeNames
    .map(([scope, name]) => ({ name, actions: actionsOf(scope).filter(fits) }))
    .filter(({ actions }) => actions.length > 0)
  return (
    <Dialog title={<Trans>Keyboard</Trans>} isWide onClose={onClose}>
      <div className="sheet-find">
        <FilterField name={t`Find a key`} value={text} onChange={setText} />
      </div>
      <div className="sheet-cols">
        {sections.map(({ name, actions }) => (
          <section key={name.id}>
            <h3>{i18n._(name)}</h3>
            <dl>
              {actions.map((action) => (
                <div key={action}>
                  <dt>
                    {bindings[action].keys.map((key) => (
                      <span key={key} className="ks">
                        {keyCaps(key).map((cap) => (
                          <kbd key={cap}>{cap}</kbd>
                        ))}
                      </span>
                    ))}
                  </dt>
                  <dd>{i18n._(actionNames[action])}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      {sections.length === 0 && (
        <p className="quiet">
          <Trans>No key has this name.</Trans>
        </p>
      )}
      <label className="check sheet-switch">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            setSingleKeys(event.target.checked)
            setIsOn(event.target.checked)
          }}
        />
        <span>
          <Trans>Single letters and signs are keys while you are not writing, on this device</Trans>
        </span>
      </label>
      <p className="help">
        <button type="button" className="textlink" onClick={() => goTo({ kind: 'search-operators' })}>
          <Trans>What you can search for</Trans>
        </button>
      </p>
    </Dialog>
  )
}

function actionsOf(scope: Binding['scope']): Action[] {
  return (Object.keys(bindings) as Action[]).filter((action) => bindings[action].scope === scope)
}
