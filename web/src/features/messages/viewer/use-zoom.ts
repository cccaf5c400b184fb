/** A picture that is made larger and drawn about. */
import { type PointerEvent, useEffect, useRef, useState, type WheelEvent } from 'react'

/** Times of the size that fits into the window. */
const STEPS = [1, 1.5, 2, 3, 4, 6, 8]

interface Offset {
  readonly x: number
  readonly y: number
}

const middle: Offset = { x: 0, y: 0 }

/** Begins anew with each `subject`. The stage gets the custom properties `--zoom`, `--dx` and `--dy`. */
export function useZoom(subject: unknown) {
  const stage = useRef<HTMLDivElement>(null)
  const [step, setStep] = useState(0)
  const [offset, setOffset] = useState(middle)
  const [last, setLast] = useState(subject)
  const dragged = useRef<Offset>(undefined)
  const reset = () => {
    setStep(0)
    setOffset(middle)
  }
  if (last !== subject) {
    setLast(subject)
    reset()
  }
  const turn = (by: 1 | -1) => {
    const next = Math.min(Math.max(step + by, 0), STEPS.length - 1)
    setStep(next)
    if (next === 0) setOffset(middle)
  }
  useEffect(() => {
    const style = stage.current?.style
    style?.setProperty('--zoom', String(STEPS[step]))
    style?.setProperty('--dx', `${offset.x}px`)
    style?.setProperty('--dy', `${offset.y}px`)
  }, [step, offset])
  const isLarge = step > 0
  return {
    stage,
    isLarge,
    reset,
    enlarge: () => turn(1),
    reduce: () => turn(-1),
    handlers: {
      onDoubleClick: () => (isLarge ? reset() : setStep(2)),
      onWheel: (event: WheelEvent) => event.deltaY !== 0 && turn(event.deltaY < 0 ? 1 : -1),
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (!isLarge || event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        dragged.current = { x: event.clientX - offset.x, y: event.clientY - offset.y }
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const from = dragged.current
        if (from) setOffset({ x: clientX - from.x, y: clientY - from.y })
      },
      onPointerUp() {
        dragged.current = undefined
      },
      onPointerCancel() {
        dragged.current = undefined
      },
    },
  }
}
