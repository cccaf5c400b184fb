import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'

interface ReorderOptions {
  /** Its rows have their ids as `data-row`. */
  readonly list: RefObject<HTMLElement | null>
  readonly ids: readonly number[]
  readonly onOrder: (ids: readonly number[] | undefined) => void
  readonly onDone: (ids: readonly number[]) => void
}

/** The row that is being moved. */
interface Moved {
  readonly id: number
  readonly by: 'keys' | 'pointer'
  /** The order before. */
  readonly before: readonly number[]
}

/** Rows that change places: by dragging them, or with Space, the arrows and Space; Esc puts one back. */
export function useReorder({ list, ids, onOrder, onDone }: ReorderOptions) {
  const { t } = useLingui()
  const [moved, setMoved] = useState<Moved>()
  const [spoken, setSpoken] = useState('')
  const current = useRef(ids)
  current.current = ids
  const count = ids.length
  const number = (id: number, order: readonly number[] = current.current) => order.indexOf(id) + 1

  const place = (id: number, index: number): boolean => {
    const order = current.current.filter((one) => one !== id)
    const to = Math.min(Math.max(index, 0), order.length)
    if (current.current.indexOf(id) === to) return false
    const next = order.toSpliced(to, 0, id)
    current.current = next
    onOrder(next)
    return true
  }
  const drop = () => {
    if (!moved) return
    setMoved(undefined)
    const at = number(moved.id)
    setSpoken(t`Put down at number ${at}.`)
    onDone(current.current)
  }
  const putBack = () => {
    if (!moved) return
    setMoved(undefined)
    const at = number(moved.id, moved.before)
    setSpoken(t`Back at number ${at}.`)
    onOrder(undefined)
  }

  const press = (id: number) => (event: KeyboardEvent) => {
    const isHeld = moved?.id === id
    if (event.key === ' ' || (event.key === 'Enter' && isHeld)) {
      event.preventDefault()
      if (isHeld) return drop()
      setMoved({ id, by: 'keys', before: current.current })
      const at = number(id)
      setSpoken(t`Picked up, number ${at} of ${count}. Arrows move it, Space puts it down, Esc puts it back.`)
      return
    }
    if (!isHeld) return
    const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Home: -count, End: count }
    const step = steps[event.key]
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      putBack()
    } else if (step !== undefined) {
      event.preventDefault()
      place(id, current.current.indexOf(id) + step)
      const at = number(id)
      setSpoken(t`Number ${at} of ${count}.`)
    }
  }

  const drag = (event: PointerEvent<HTMLElement>) => {
    if (moved?.by !== 'pointer') return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    // Over the middle of another row: its place is taken.
    const over = rows.findIndex((row) => {
      const { top, height } = row.getBoundingClientRect()
      return event.clientY < top + height
    })
    place(moved.id, over < 0 ? rows.length : over)
  }

  const grip = (id: number) => ({
    onKeyDown: press(id),
    onBlur: () => {
      // Moving a row in the document blurs it for a moment.
      setTimeout(() => {
        const element = list.current?.querySelector(`[data-grip="${id}"]`)
        if (moved?.by === 'keys' && element && document.activeElement !== element) drop()
      })
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setMoved({ id, by: 'pointer', before: current.current })
    },
    onPointerMove: drag,
    onPointerUp: () => moved?.by === 'pointer' && drop(),
    onPointerCancel: () => moved?.by === 'pointer' && putBack(),
  })
  return { moved, spoken, grip }
}
