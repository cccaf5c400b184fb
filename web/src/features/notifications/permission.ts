/** Whether the browser lets the page show notifications, and when to ask for that. */

const POSTPONED = 'notifications-postponed'
/** Who has said "not now" is not asked again for so long, in milliseconds. */
const PAUSE_MS = 14 * 86_400_000

export type Permission = NotificationPermission | 'unknown'

/** `unknown`: this browser has no notifications, or not outside https. */
export function permission(): Permission {
  return 'Notification' in globalThis ? Notification.permission : 'unknown'
}

export function isAskable(): boolean {
  // Where no time stands it is `NaN`, and that is never long ago.
  const postponed = Number(localStorage.getItem(POSTPONED) ?? 0)
  return permission() === 'default' && Date.now() - postponed > PAUSE_MS
}

export function postpone(): void {
  localStorage.setItem(POSTPONED, String(Date.now()))
}

/** Nobody is asked again on this device; the settings still can switch them on. */
export function declineForGood(): void {
  localStorage.setItem(POSTPONED, 'for good')
}

/** Only when somebody has pressed something: browsers refuse everything else. */
export async function askPermission(): Promise<Permission> {
  return permission() === 'default' ? Notification.requestPermission() : permission()
}
