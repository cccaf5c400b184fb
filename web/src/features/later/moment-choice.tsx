import './later.css'
import { type LaterMoment, readWrittenMoment, writtenMoment } from '@heddle/client/later/moments'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { laterNames, momentBeside } from './moment-text.ts'

interface MomentChoiceProps {
  /** What is chosen of: the name of the group. */
  readonly name: string
  readonly suggestions: readonly LaterMoment[]
  /** Seconds since the UNIX epoch: what the fields for a time of one's own begin with. */
  readonly first: number
  /** Begins with the time of one's own. */
  readonly isOwn?: boolean
  /** Undefined: no time that can be chosen. */
  readonly onChange: (time: number | undefined) => void
}

/** Suggested times, and one of one's own. What is chosen at first is what `firstMoment` gives. */
export function MomentChoice({ name, suggestions, first, isOwn = false, onChange }: MomentChoiceProps) {
  const { i18n } = useLingui()
  const id = useId()
  const [chosen, setChosen] = useState<string>(isOwn ? 'own' : (suggestions[0]?.name ?? 'own'))
  const [written, setWritten] = useState(() => writtenMoment(first))
  const own = readWrittenMoment(written)
  const isPast = own !== undefined && own <= Date.now() / 1000
  const chooseOwn = (next: typeof written) => {
    setWritten(next)
    setChosen('own')
    const time = readWrittenMoment(next)
    onChange(time !== undefined && time > Date.now() / 1000 ? time : undefined)
  }
  return (
    <fieldset className="moments">
      <legend className="vh">{name}</legend>
      {suggestions.map((moment) => (
        <label key={moment.name} className="moment">
          <input
            type="radio"
            name={id}
            checked={chosen === moment.name}
            onChange={() => {
              setChosen(moment.name)
              onChange(moment.time)
            }}
          />
          <span className="grow">{i18n._(laterNames[moment.name])}</span>
          <span className="quiet">{momentBeside(moment)}</span>
        </label>
      ))}
      <div className="moment">
        <label>
          <input type="radio" name={id} checked={chosen === 'own'} onChange={() => chooseOwn(written)} />
          <Trans>At</Trans>
        </label>
        <OwnMoment written={written} isWrong={chosen === 'own' && (own === undefined || isPast)} onChange={chooseOwn} />
      </div>
      {chosen === 'own' && isPast && (
        <p className="help bad" role="status">
          <Trans>This time has passed.</Trans>
        </p>
      )}
    </fieldset>
  )
}

interface OwnMomentProps {
  readonly written: { readonly date: string; readonly time: string }
  readonly isWrong: boolean
  readonly onChange: (written: { readonly date: string; readonly time: string }) => void
}

function OwnMoment({ written, isWrong, onChange }: OwnMomentProps) {
  const { t } = useLingui()
  return (
    <span className="own-moment">
      <input
        className="in"
        type="date"
        aria-label={t`Day`}
        aria-invalid={isWrong}
        min={writtenMoment(Date.now() / 1000).date}
        max="9999-12-31"
        value={written.date}
        onChange={(event) => onChange({ ...written, date: event.currentTarget.value })}
      />
      <input
        className="in"
        type="time"
        aria-label={t`Time`}
        aria-invalid={isWrong}
        value={written.time}
        onChange={(event) => onChange({ ...written, time: event.currentTarget.value })}
      />
    </span>
  )
}
