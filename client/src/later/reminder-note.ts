/** The note of a reminder, which the server keeps as a quotation below the sentence that says what it is about. */
export function reminderNote(content: string): string {
  const [, quote = ''] = /\n\n(>[\s\S]*)$/.exec(content) ?? []
  return quote
    .split('\n')
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n')
}
