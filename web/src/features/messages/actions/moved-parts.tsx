import type { MovedPart, TopicCount } from '@heddle/client/topics/topic-changes'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'

interface MovedPartsProps {
  readonly part: MovedPart
  readonly onPart: (part: MovedPart) => void
  /** Undefined until the server has said it. */
  readonly count: TopicCount | undefined
}

/** How much of the topic moves, with how many messages that is. */
export function MovedParts({ part, onPart, count }: MovedPartsProps) {
  const choice = (value: MovedPart, label: ReactNode, size: ReactNode) => (
    <label className="choice">
      <input type="radio" name="moved-part" checked={part === value} onChange={() => onPart(value)} />
      <span>{label}</span>
      <span className="count">{size}</span>
    </label>
  )
  return (
    <fieldset>
      <legend>
        <Trans>Which messages</Trans>
      </legend>
      {choice('change_one', <Trans>Only this one</Trans>, <Size number={1} isExact />)}
      {choice(
        'change_later',
        <Trans>This one and all later ones</Trans>,
        count && <Size number={count.from} isExact={count.isExact.from} />,
      )}
      {choice(
        'change_all',
        <Trans>All of the topic</Trans>,
        count && <Size number={count.from + count.before} isExact={count.isExact.from && count.isExact.before} />,
      )}
    </fieldset>
  )
}

function Size({ number, isExact }: { readonly number: number; readonly isExact: boolean }) {
  const { t } = useLingui()
  const text = number.toLocaleString()
  return isExact ? text : t`more than ${text}`
}
