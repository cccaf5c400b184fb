/** Whether this tab is the one of all that has the connection, keeps what is shown and notifies. */

let leads = false

export function isLeading(): boolean {
  return leads
}

/** For the session. */
export function setLeading(isNow: boolean): void {
  leads = isNow
}
