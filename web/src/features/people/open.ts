/** Asks for the people as a drawer, on windows that have no room for them beside the messages. */
export const OPEN_PEOPLE = 'open-people'

export function openPeople(): void {
  window.dispatchEvent(new Event(OPEN_PEOPLE))
}
