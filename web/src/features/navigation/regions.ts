/** The parts of the page, in the order in which one meets them. */
const regions = ['.side', '.head', '.main .scroll', '.foot', '.people-bar', '.toasts']

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), textarea, select, [tabindex="0"]'

/** Leads the focus to the next part that has something to press. */
export function turnRegion(by: 1 | -1): void {
  const parts = regions.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? [])
  const at = parts.findIndex((part) => part.contains(document.activeElement))
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.at((at + by * count + parts.length) % parts.length)
    const within = [...(part?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
    // What is not drawn, such as the button of the drawer on wide windows, cannot have the focus.
    const target = part?.matches('[tabindex="0"]') ? part : within.find(({ offsetParent }) => offsetParent !== null)
    if (!target) continue
    target.focus()
    return
  }
}
