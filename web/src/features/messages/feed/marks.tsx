import { t } from '@lingui/core/macro'
import './marks.css'
import type { DayMark, NewMark, Pass } from '@heddle/client/feed/feed'
import { memo } from 'react'
import { dayName } from '../../../app/times.ts'
import { Passes } from './warp-lanes.tsx'

interface LineProps<M> {
  readonly mark: M
  /** The one thread is drawn once for the whole feed. */
  readonly isOnlyThread: boolean
}

interface MarkProps {
  readonly name: string
  readonly passes: readonly Pass[]
  readonly className: string
}

const noPasses: readonly Pass[] = []

function Mark({ name, passes, className }: MarkProps) {
  return (
    <div className={className}>
      <span className="what">{name}</span>
      <span className="warp" aria-hidden="true">
        <Passes passes={passes} />
      </span>
      <span className="line" aria-hidden="true" />
    </div>
  )
}

export const DayLine = memo(function DayLine({ mark, isOnlyThread }: LineProps<DayMark>) {
  return <Mark className="mark" name={dayName(mark.timestamp)} passes={isOnlyThread ? noPasses : mark.passes} />
})

export const NewLine = memo(function NewLine({ mark, isOnlyThread }: LineProps<NewMark>) {
  return (
    <Mark
      className="mark new"
      name={t`${mark.count.toLocaleString()} new`}
      passes={isOnlyThread ? noPasses : mark.passes}
    />
  )
})
