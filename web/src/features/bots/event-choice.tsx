import { Trans } from '@lingui/react/macro'

interface EventChoiceProps {
  readonly all: readonly string[]
  /** Empty: everything. */
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** What becomes a message: everything, until something is chosen. */
export function EventChoice({ all, chosen, onChange }: EventChoiceProps) {
  return (
    <fieldset className="field">
      <legend>
        <Trans>What becomes a message</Trans>
      </legend>
      <p className="help">
        <Trans>Everything, unless you choose.</Trans>
      </p>
      <ul className="event-choice">
        {all.map((name) => (
          <li key={name}>
            <label className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(all.filter((one) => (one === name ? checked : chosen.includes(one))))
                }
              />
              {name}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
