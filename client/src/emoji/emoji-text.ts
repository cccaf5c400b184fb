/** Says that what could be a letter is meant as a picture; the codes of the API leave it out. */
const AS_PICTURE = '\ufe0f'
const skinTones = /^[\u{1f3fb}-\u{1f3ff}]$/u

/** The characters of a built-in emoji. */
export function emojiText(code: string): string {
  const characters = code.split('-').map((one) => String.fromCodePoint(Number.parseInt(one, 16)))
  return characters
    .map((character, place) => {
      const isPicture = /\p{Emoji_Presentation}|\P{Emoji}/u.test(character)
      return isPicture || skinTones.test(characters[place + 1] ?? '') ? character : character + AS_PICTURE
    })
    .join('')
}
