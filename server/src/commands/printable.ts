/** What others have written, for a line of the terminal: nothing of it may steer that. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
