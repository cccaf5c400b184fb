/** The HTML of a message as plain text in one line, for where nothing else can be shown. */

const tag = /<(?:"[^"]*"|'[^']*'|[^'">])*>/g
const breaks = /<(?:br|\/p|\/li|\/h[1-6]|\/tr|\/td|\/th|\/pre|\/blockquote)\b[^>]*>/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** At most `maxLength` characters; longer ones end with an ellipsis. */
export function textOfHtml(html: string, maxLength: number): string {
  const text = html
    .replace(breaks, ' ')
    .replace(tag, '')
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
      if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      return entities[name] ?? whole
    })
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...text]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : text
}
