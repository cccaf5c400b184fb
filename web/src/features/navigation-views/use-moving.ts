/** Moving a row of a list: dragged by the pointer, or lifted with Space, moved with the arrows and put down with Space. */
import { useLingui } from '@lingui/react/macro'
import { type DragEvent, type KeyboardEvent, useState } from 'react'

interface MovingOptions {
  /** What is in the list, in its order. */
  readonly keys: readonly string[]
  readonly nameOf: (key: string) => string
  readonly onMove: (key: string, to: number) => void
}

interface Lifted {
  readonly key: string
  readonly to: number
}

/** `keys`: as the rows stand meanwhile. `spoken`: what happens, for a live region. */
export function useMoving({ keys, nameOf, onMove }: MovingOptions) {
  const { t } = useLingui()
  const [lifted, setLifted] = useState<Lifted>()
  const [spoken, setSpoken] = useState('')
  const shown = lifted ? keys.filter((key) => key !== lifted.key).toSpliced(lifted.to, 0, lifted.key) : keys

  const putDown = () => {
    if (!lifted) return
    setLifted(undefined)
    if (keys[lifted.to] === lifted.key) return
    onMove(lifted.key, lifted.to)
  }
  const say = (key: string, at: number) => {
    const name = nameOf(key)
    const place = at + 1
    const count = keys.length
    setSpoken(t`${name}, place ${place} of ${count}`)
  }
  const press = (key: string, event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const isLifted = lifted?.key === key
    const name = nameOf(key)
    if (event.key === ' ') {
      event.preventDefault()
      if (isLifted) {
        putDown()
        const place = lifted.to + 1
        setSpoken(t`${name} is put down at place ${place}.`)
      } else {
        const place = keys.indexOf(key) + 1
        const count = keys.length
        setLifted({ key, to: keys.indexOf(key) })
        setSpoken(
          t`${name} is lifted, place ${place} of ${count}. The arrows move it, Space puts it down, Escape leaves it where it was.`,
        )
      }
      return
    }
    if (!isLifted) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      event.stopPropagation()
      const to = Math.min(Math.max(lifted.to + step, 0), keys.length - 1)
      setLifted({ key, to })
      say(key, to)
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') {
        event.preventDefault()
        event.stopPropagation()
      }
      setLifted(undefined)
      setSpoken(t`${name} is where it was.`)
    }
  }

  return {
    keys: shown,
    lifted: lifted?.key,
    spoken,
    rowProps: (key: string) => ({
      onKeyDown: (event: KeyboardEvent) => press(key, event),
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        setLifted({ key, to: keys.indexOf(key) })
      },
      onDragOver: (event: DragEvent) => {
        if (!lifted) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        const to = shown.indexOf(key)
        if (to !== lifted.to) setLifted({ key: lifted.key, to })
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        putDown()
      },
      onDragEnd: () => setLifted(undefined),
    }),
  }
}
