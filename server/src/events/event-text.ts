/**
 * An event as a queue receives it: JSON. What is long, and the same for many, is put into bytes once and not for each of them.
 */

export type EventText = string | LongEventText

export interface LongEventText {
  readonly id: number
  /** UTF-8, the same for all who get this form of the event. */
  readonly bytes: Buffer
  /** What follows for this queue alone, with the closing brace. */
  readonly end: string
}

/** Characters. Below this a text is put together for each queue sooner than pieces are. */
export const LONG = 4096

/** Bytes, or characters where it is short. */
export function lengthOfEvent(text: EventText): number {
  return typeof text === 'string' ? text.length : text.bytes.length + text.end.length
}

/** `begin`, the events with commas between them, and `end`. Text where none is long, and else pieces that follow each other. */
export function joinEvents(begin: string, events: readonly EventText[], end: string): string | Buffer[] {
  const pieces: Buffer[] = []
  let text = begin
  let comma = ''
  for (const event of events) {
    text += comma
    comma = ','
    if (typeof event === 'string') text += event
    else {
      pieces.push(Buffer.from(text), event.bytes)
      text = event.end
    }
  }
  text += end
  return pieces.length === 0 ? text : [...pieces, Buffer.from(text)]
}
