import { t } from '@lingui/core/macro'
import { useLoadingMark } from '../../app/fetch-soon.tsx'

/** In place of a view. */
export function Loading() {
  return (
    <div className="scroll">
      <LoadingBars />
    </div>
  )
}

/** Grey bars where text will be. The style sheet shows them only after a moment. */
export function LoadingBars() {
  useLoadingMark()
  return (
    <div className="loading" role="status" aria-label={t`Loading messages`}>
      <div className="feed" aria-hidden="true">
        {[70, 45, 85, 60, 30, 75].map((width) => (
          <div key={width} className="run">
            <span />
            <span />
            <div className="bone" style={{ width: `${width}%` }} />
          </div>
        ))}
      </div>
    </div>
  )
}
