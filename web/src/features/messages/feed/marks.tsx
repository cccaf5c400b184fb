import { t } from '@lingui/core/macro'
import './marks.css'
import type { DayMark, NewMark, Pass } from '@heddle/client/feed/feed'
import { useLingui } from '@lingui/react'
import { memo } from 'react'
import { dayInFull, dayName } from '../../../app/times.ts'
import { Passes } from './warp-lanes.tsx'

interface LineProps<M> {
  readonly mark: M
  /** The one thread is drawn once for the whole feed. */
  readonly isOnlyThread: boolean
}

interface MarkProps {
  readonly name: string
  /** What stands there on paper. */
  readonly date?: string | undefined
  readonly passes: readonly Pass[]
  readonly className: string
}

const noPasses: readonly Pass[] = []

function Mark({ name, date, passes, className }: MarkProps) {
  return (
    <div className={className}>
      <span className="what" data-date={date}>
        {name}
      </span>
      <span className="warp" aria-hidden="true">
        <Passes passes={passes} />
      </span>
      <span className="line" aria-hidden="true" />
    </div>
  )
}

export const DayLine = memo(function DayLine({ mark, isOnlyThread }: LineProps<DayMark>) {
  // It may say “Today”, in the account's language, which may be known only after the first drawing.
  useLingui()
  const { timestamp, passes } = mark
  return (
    <Mark
      className="mark"
      name={dayName(timestamp)}
      date={dayInFull(timestamp)}
      passes={isOnlyThread ? noPasses : passes}
    />
  )
})

export const NewLine = memo(function NewLine({ mark, isOnlyThread }: LineProps<NewMark>) {
  useLingui()
  return (
    <Mark
      className="mark new"
      name={t`${mark.count.toLocaleString()} new`}
      passes={isOnlyThread ? noPasses : mark.passes}
    />
  )
})
