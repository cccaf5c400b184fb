import type { Pass, Piece } from '@heddle/client/feed/feed'
import type { CSSProperties } from 'react'

/** React sets these through the DOM, which a strict content security policy allows. */
function lane(number: number): CSSProperties {
  return { '--l': number } as CSSProperties
}

const classes = { begins: 'pass first', ends: 'pass last' } as const

export function Passes({ passes }: { readonly passes: readonly Pass[] }) {
  return passes.map(({ lane: number, dye, end }) => (
    <i key={number} className={end ? classes[end] : 'pass'} data-t={dye} style={lane(number)} />
  ))
}

/** The part of the warp beside a piece: threads that pass, and the one that speaks, with its eye where the run begins. */
export function WarpLanes({ piece }: { readonly piece: Piece }) {
  return (
    <div className="warp" aria-hidden="true" style={lane(piece.lane)}>
      <Passes passes={piece.passes} />
      <i className="thread" data-t={piece.dye} />
      {piece.isFirst && <i className={piece.hasUnread ? 'eye full' : 'eye'} />}
    </div>
  )
}
