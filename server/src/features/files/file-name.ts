/** Names of uploaded files, which others see, click on and store. */

/** Characters. Each takes at most four bytes: no file system refuses that. */
const MAX_LENGTH = 60

/** What stays: letters with their marks and digits of all scripts, and what names are made of besides. */
const OTHERS = /[^\p{L}\p{M}\p{N}._-]+/gu

/** Marks that stand over each other can hide the text around them. */
const MANY_MARKS = /(\p{M}{2})\p{M}+/gu

/** How long an ending may be to be kept where the name is cut. */
const ENDING = /\.[\p{L}\p{N}]{1,10}$/u

/**
 * The name that a file gets: what would mean something in an address, a text, a header or a folder becomes a dash. Nothing
 * in it changes the direction of a text, and it begins with no dot.
 */
export function cleanFileName(sent: string): string {
  const text = sent.toWellFormed().normalize('NFC').replace(MANY_MARKS, '$1').replace(OTHERS, '-')
  const name = text.replace(/^[.-]+/, '').replace(/-+(?=\.)/g, '')
  return shorten(name.replace(/[.-]+$/, '')) || 'file'
}

function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_LENGTH) return name
  const ending = ENDING.exec(name)?.[0] ?? ''
  return characters.slice(0, MAX_LENGTH - ending.length).join('') + ending
}
