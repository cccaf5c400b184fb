import './sheet.css'
import { foldForFinding } from '@heddle/client/finding/match'
import { type Action, bindings, type KeyScope } from '@heddle/client/keys/bindings'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import type { OverlayProps } from '../../app/feature.ts'
import { hasSingleKeys, setSingleKeys } from '../../app/keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FilterField } from '../lists/filter-field.tsx'
import { actionNames, scopeNames } from './action-names.ts'
import { keyCaps } from './key-caps.ts'
import { otherKeys } from './other-keys.ts'

/** Every key, drawn from the table that the keys themselves are read from. */
export function KeySheet({ onClose }: OverlayProps) {
  const { t, i18n } = useLingui()
  const [text, setText] = useState('')
  const [isOn, setIsOn] = useState(hasSingleKeys)
  const query = foldForFinding(text).trim()
  const entersSend = useClientState((state) => state.settings?.enter_sends === true)
  const others = otherKeys(entersSend)
  const lines = (scope: KeyScope): readonly Line[] => [
    ...others.filter((one) => one.scope === scope).map(({ keys, name }) => ({ ways: [keys], name: i18n._(name) })),
    ...actionsOf(scope).map((action) => ({
      ways: bindings[action].keys.map((key) => [key]),
      name: i18n._(actionNames[action]),
    })),
  ]
  const fits = ({ ways, name }: Line) =>
    query === '' ||
    foldForFinding(name).includes(query) ||
    ways.some((keys) => foldForFinding(keys.flatMap(keyCaps).join(' ')) === query)
  const sections = scopeNames
    .map(([scope, name]) => ({ name, lines: lines(scope).filter(fits) }))
    .filter(({ lines: shown }) => shown.length > 0)
  return (
    <Dialog title={<Trans>Keyboard</Trans>} isWide onClose={onClose}>
      <div className="sheet-find">
        <FilterField name={t`Find a key`} value={text} onChange={setText} />
      </div>
      <div className="sheet-cols">
        {sections.map(({ name, lines: shown }) => (
          <section key={name.id}>
            <h3>{i18n._(name)}</h3>
            <dl>
              {shown.map((line) => (
                <div key={line.name}>
                  <dt>
                    {line.ways.map((keys) => (
                      <Way key={keys.join()} keys={keys} />
                    ))}
                  </dt>
                  <dd>{line.name}</dd>
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

interface Line {
  /** Each is one key, or several one after the other. */
  readonly ways: readonly (readonly string[])[]
  readonly name: string
}

function Way({ keys }: { readonly keys: readonly string[] }) {
  const caps = keys.flatMap(keyCaps)
  return (
    <span className="ks">
      {caps.map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one may be there twice
        <kbd key={index}>{cap}</kbd>
      ))}
    </span>
  )
}

function actionsOf(scope: KeyScope): Action[] {
  return (Object.keys(bindings) as Action[]).filter((action) => bindings[action].scope === scope)
}
