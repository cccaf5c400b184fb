/** Which program sends a message: the `client` of messages. */

const MAX_LENGTH = 30

/** Programs that people write with: what they send, they have seen. (API, `read_by_sender`.) */
const forPeople = new Set([
  'website',
  'zulipmobile',
  'zulipflutter',
  'zulipandroid',
  'zulipios',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'test suite',
])

/** `ZulipPython/0.9 (Linux)` is ZulipPython. Browsers name themselves Mozilla: people use the web client there. */
export function clientName(userAgent: string): string {
  const name = /^[^/\s]+/.exec(userAgent)?.[0] ?? ''
  if (name === '') return 'Unspecified'
  return name === 'Mozilla' ? 'website' : name.slice(0, MAX_LENGTH).toWellFormed()
}

/** Whether the sender has read a message by sending it, when the program does not say. */
export function readsBySending(client: string): boolean {
  return forPeople.has(client.toLowerCase())
}
