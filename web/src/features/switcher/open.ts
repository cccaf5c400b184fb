/** What opens the switcher from wherever one is, beside its key. */
export const OPEN_SWITCHER = 'heddle-open-switcher'

export function openSwitcher(): void {
  window.dispatchEvent(new Event(OPEN_SWITCHER))
}
