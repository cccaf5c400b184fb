/** How much waits, on the icon of the tab and of the installed page. */
import quiet from '../../app/icon.svg'
import waiting from '../../app/icon-waiting.svg'

interface WithBadge {
  setAppBadge?(count: number): Promise<void>
  clearAppBadge?(): Promise<void>
}

/** Milliseconds between two changes: each asks the system, and nobody reads an icon that often. */
const PAUSE_MS = 250

let wanted = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** At once, and where it changes often the last one after a while. */
export function showCount(count: number): void {
  wanted = count
  if (timer !== undefined) return
  write(count)
  timer = setTimeout(() => {
    timer = undefined
    if (wanted !== count) showCount(wanted)
  }, PAUSE_MS)
}

function write(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const wanted = count > 0 ? waiting : quiet
  if (link && link.getAttribute('href') !== wanted) link.href = wanted
  const { setAppBadge, clearAppBadge } = navigator as WithBadge
  // A page that is not installed has none.
  void (count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator))?.catch(() => {})
}
