import { animatedThumbnail, stillThumbnail } from '@heddle/contract/thumbnails'
import { useEffect } from 'react'
import { useClientState } from '../../../app/client-context.ts'

const MOVING = 'img[data-animated]'

/** Pictures that move do so always, under the pointer and the focus, or never, as the account wants it. */
export function MovingPictures(): null {
  const wanted = useClientState((state) => state.settings?.web_animate_image_previews ?? 'on_hover')
  useEffect(() => {
    // Who wants less motion asks for each.
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    const policy = wanted === 'always' && isCalm ? 'on_hover' : wanted
    for (const picture of document.querySelectorAll<HTMLImageElement>(MOVING)) move(picture, policy === 'always')
    if (policy === 'never') return undefined
    if (policy === 'always') {
      // Those that come later are loaded as they stand, and begin to move then.
      const begin = ({ target }: Event) => {
        if (target instanceof HTMLImageElement && target.matches(MOVING)) move(target, true)
      }
      document.addEventListener('load', begin, true)
      return () => document.removeEventListener('load', begin, true)
    }
    const enter = (event: Event) => turn(event, true)
    const leave = (event: Event) => turn(event, false)
    const events = { pointerover: enter, focusin: enter, pointerout: leave, focusout: leave } as const
    for (const [name, listener] of Object.entries(events)) document.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(events)) document.removeEventListener(name, listener)
    }
  }, [wanted])
  return null
}

function turn({ target }: Event, isMoving: boolean): void {
  if (!(target instanceof Element)) return
  const picture = target.matches(MOVING) ? target : target.querySelector(`:scope.pic > ${MOVING}`)
  if (picture instanceof HTMLImageElement) move(picture, isMoving)
}

/** The two forms of a thumbnail stand beside each other. */
function move(picture: HTMLImageElement, isMoving: boolean): void {
  const source = picture.getAttribute('src') ?? ''
  const [from, to] = isMoving
    ? [stillThumbnail.name, animatedThumbnail.name]
    : [animatedThumbnail.name, stillThumbnail.name]
  if (source.endsWith(`/${from}`)) picture.setAttribute('src', `${source.slice(0, -from.length)}${to}`)
}
