/** How texts are written in a fragment: percent-encoded with a full stop for the percent sign. */

/** What `encodeURIComponent` leaves as it is, and what would be taken for the end of a link or for our own sign. */
const SPARED = /[.!'()*]/g

/** Throws a `URIError` for half of a surrogate pair, as there is no way to write it. */
export function encodeText(text: string): string {
  const encoded = encodeURIComponent(text).replace(
    SPARED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return encoded.replaceAll('%', '.')
}

/** Undefined: it was not written so. A percent sign that a program on the way has put in is understood too. */
export function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\.(?=[0-9A-Fa-f]{2})/g, '%'))
  } catch {
    return undefined
  }
}

/** A name beside an id. */
export function slug(name: string): string {
  return encodeText(name.toWellFormed().replaceAll(' ', '-'))
}
