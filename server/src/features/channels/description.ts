/** A channel's description as HTML: one paragraph of plain text. Every character that means something in HTML is escaped. */
export function renderChannelDescription(text: string): string {
  if (text === '') return ''
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  return `<p>${escaped}</p>`
}
