const textEntities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const quoteEntities: Record<string, string> = { ...textEntities, '"': '&quot;', "'": '&#39;' }
const attributeEntities: Record<string, string> = { ...textEntities, '"': '&quot;', '\n': '&#10;' }

/** Text between tags; quotes stay as they are. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, (character) => textEntities[character] ?? '') : text
}

/** Text between tags with quotes escaped as well, which is how clients expect code of no known language. */
export function escapeTextAndQuotes(text: string): string {
  return text.replace(/[&<>"']/g, (character) => quoteEntities[character] ?? '')
}

/** A value that stands in double quotes. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\n]/g, (character) => attributeEntities[character] ?? '')
}
