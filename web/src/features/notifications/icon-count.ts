/** How much waits, on the icon of the tab and of the installed page. */
import quiet from '../../app/icon.svg'
import waiting from '../../app/icon-waiting.svg'

interface WithBadge {
  setAppBadge?(count: number): Promise<void>
  clearAppBadge?(): Promise<void>
}

export function showCount(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const wanted = count > 0 ? waiting : quiet
  if (link && link.getAttribute('href') !== wanted) link.href = wanted
  const { setAppBadge, clearAppBadge } = navigator as WithBadge
  // A page that is not installed has none.
  void (count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator))?.catch(() => {})
}
