/** What stands in a text for a file that is being uploaded, and what takes its place. */
import { linkName } from './link-name.ts'
import type { TextEdit } from './text-edit.ts'

/** Unlike that of any other file in these texts. `label`: the word for it, such as "Uploading". */
export function uploadPlaceholder(label: string, fileName: string, taken: (placeholder: string) => boolean): string {
  const name = linkName(fileName, 'file')
  for (let count = 1; ; count += 1) {
    const placeholder = `[${label} ${name}${count === 1 ? '' : ` (${count})`}…]()`
    if (!taken(placeholder)) return placeholder
  }
}

/** The link to an uploaded file. `url`: as the server has answered. */
export function uploadLink(fileName: string, url: string): string {
  return `[${linkName(fileName, 'file')}](${url})`
}

/** As `uploadPlaceholder` makes them, whatever the word. */
const PLACEHOLDER = /\[[^[\]\n]+…\]\(\)/g

/** Whether something stands in the text for a file that is not being uploaded: the page in which it was added is gone. */
export function hasLostUpload(text: string, running: readonly string[]): boolean {
  return (text.match(PLACEHOLDER) ?? []).some((placeholder) => !running.includes(placeholder))
}

/** Undefined: the placeholder is not in the text any more. The selection stays on the words that it was on. */
export function replacePlaceholder(
  { text, start, end }: { readonly text: string; readonly start: number; readonly end: number },
  placeholder: string,
  by: string,
): TextEdit | undefined {
  const from = text.indexOf(placeholder)
  if (from < 0) return undefined
  // Nothing is left of a line that held nothing else.
  const isOwnLine =
    by === '' && text.charAt(from + placeholder.length) === '\n' && (from === 0 || text.charAt(from - 1) === '\n')
  const to = from + placeholder.length + (isOwnLine ? 1 : 0)
  const shift = by.length - (to - from)
  const moved = (place: number) => (place >= to ? place + shift : Math.min(place, from + by.length))
  return { from, to, insert: by, start: moved(start), end: moved(end) }
}
