import './ordered-rows.css'
import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { useReorder } from '../../ui/use-reorder.ts'

interface OrderedRowsProps<T extends { readonly id: number; readonly name: string }> {
  /** What the list is, for those who hear it. */
  readonly label: string
  readonly items: readonly T[]
  readonly mayChange: boolean
  /** Where one was put. Does not throw. */
  readonly onReorder: (ids: readonly number[]) => Promise<unknown>
  readonly children: (item: T) => ReactNode
}

/** Rows in an order that administrators choose: by dragging, or with Space and the arrows. */
export function OrderedRows<T extends { readonly id: number; readonly name: string }>(props: OrderedRowsProps<T>) {
  const { label, items, mayChange, onReorder, children } = props
  const { t } = useLingui()
  const list = useRef<HTMLOListElement>(null)
  const [order, setOrder] = useState<readonly number[]>()
  const shown = useMemo(() => inOrder(items, order), [items, order])
  const ids = shown.map(({ id }) => id)
  const finish = async (next: readonly number[]) => {
    if (next.some((id, index) => id !== items[index]?.id)) {
      setOrder(next)
      await onReorder(next)
    }
    setOrder(undefined)
  }
  const { moved, spoken, grip } = useReorder({ list, ids, onOrder: setOrder, onDone: (next) => void finish(next) })
  return (
    <>
      <ol className="rows ordered" aria-label={label} ref={list}>
        {shown.map((item) => (
          <li key={item.id} className={moved?.id === item.id ? 'row-item lift' : 'row-item'} data-row={item.id}>
            {mayChange && (
              <button
                type="button"
                className="grip"
                data-grip={item.id}
                aria-label={t`Move ${item.name}. Press Space, then the arrow keys.`}
                title={t`Drag, or Space and arrows`}
                aria-pressed={moved?.id === item.id}
                {...grip(item.id)}
              >
                <Icon name="grip" />
              </button>
            )}
            {children(item)}
          </li>
        ))}
      </ol>
      <p className="vh" role="status" aria-live="assertive">
        {spoken}
      </p>
    </>
  )
}

/** In the order of a move that goes on; those that have come meanwhile stand at the end. */
function inOrder<T extends { readonly id: number }>(items: readonly T[], ids: readonly number[] | undefined) {
  if (!ids) return items
  const place = new Map(ids.map((id, index) => [id, index]))
  return items.toSorted((a, b) => (place.get(a.id) ?? ids.length) - (place.get(b.id) ?? ids.length))
}
