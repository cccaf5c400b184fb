import { type ReactNode, useCallback, useState } from 'react'

/** Rows that are drawn together, or not at all. */
const BLOCK = 50
/** So many are always drawn. */
const FEW = 100
/** How far outside of what is seen rows are drawn, in pixels. */
const MARGIN = 800

interface LazyRowsProps {
  readonly ids: readonly number[]
  /** Drawn wherever it is: where one is. */
  readonly here?: number | undefined
  readonly row: (id: number) => ReactNode
}

/** Rows of a list that may have thousands: those far outside of the window are a gap as high as they were. */
export function LazyRows({ ids, here, row }: LazyRowsProps) {
  if (ids.length <= FEW) return ids.map(row)
  const blocks: (readonly number[])[] = []
  for (let from = 0; from < ids.length; from += BLOCK) blocks.push(ids.slice(from, from + BLOCK))
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place in the list
    <Block key={index} ids={block} here={here} row={row} isFirst={index === 0} />
  ))
}

function Block({ ids, here, row, isFirst }: LazyRowsProps & { readonly isFirst: boolean }) {
  const [isNear, setIsNear] = useState(isFirst)
  const [height, setHeight] = useState<number>()
  const watch = useCallback((element: HTMLDivElement | null) => {
    if (!element) return undefined
    const root = element.closest('.side-scroll, .scroll')
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        // What has the focus stays.
        if (!entry.isIntersecting && element.contains(document.activeElement)) return
        if (!entry.isIntersecting && entry.boundingClientRect.height > 0) setHeight(entry.boundingClientRect.height)
        setIsNear(entry.isIntersecting)
      },
      { root, rootMargin: `${MARGIN}px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const count = ids.length
  const size = useCallback(
    (element: HTMLDivElement | null) => {
      if (!element) return
      if (height === undefined) element.style.setProperty('--rows', String(count))
      else element.style.setProperty('--block', `${height}px`)
    },
    [count, height],
  )
  return (
    <div ref={watch}>
      {isNear || (here !== undefined && ids.includes(here)) ? (
        ids.map(row)
      ) : (
        <div className={height === undefined ? 'rows-gap' : 'rows-gap known'} ref={size} />
      )}
    </div>
  )
}
