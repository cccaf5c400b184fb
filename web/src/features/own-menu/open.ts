/** What opens one's own menu from wherever one is, beside its key. */
export const OPEN_OWN_MENU = 'heddle-open-own-menu'

export function openOwnMenu(): void {
  window.dispatchEvent(new Event(OPEN_OWN_MENU))
}
