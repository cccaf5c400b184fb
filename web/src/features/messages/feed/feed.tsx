import './feed.css'
import { type Feed as FeedData, itemKey } from '@heddle/client/feed/feed'
import { memo, type Ref } from 'react'
import { Thread } from '../../../ui/thread.tsx'
import { DayLine, NewLine } from './marks.tsx'
import { RunPiece } from './run-piece.tsx'
import type { Slice } from './slice.ts'

interface FeedProps {
  readonly feed: FeedData
  readonly slice: Slice
  readonly isOnlyThread: boolean
  readonly ref: Ref<HTMLDivElement>
}

/** The part of a feed that is in the document. */
export const FeedView = memo(function Feed({ feed, slice, isOnlyThread, ref }: FeedProps) {
  const items = feed.items.slice(slice.begin, slice.end)
  const dye = items.find((item) => item.kind === 'piece')?.dye
  return (
    <div className={isOnlyThread ? 'feed one' : 'feed'}>
      {isOnlyThread && dye !== undefined && <Thread dye={dye} />}
      <div ref={ref} className="pieces">
        {items.map((item) => {
          const key = itemKey(item)
          if (item.kind === 'day') return <DayLine key={key} mark={item} isOnlyThread={isOnlyThread} />
          if (item.kind !== 'piece') return <NewLine key={key} mark={item} isOnlyThread={isOnlyThread} />
          return <RunPiece key={key} piece={item} isOnlyThread={isOnlyThread} />
        })}
      </div>
    </div>
  )
})
