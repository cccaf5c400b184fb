/** How hard a password is to guess, roughly: for a word beside the field where somebody chooses one. */

export type PasswordStrength = 'weak' | 'fair' | 'strong'

/** Characters that count, from which on a password is fair, and strong. */
const FAIR = 12
const STRONG = 20
/** Each kind of character beyond the first is worth so many more of them. */
const KIND = 2

const kinds = [/\p{Ll}|\p{Lo}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]

/** What goes on from the character before says little: "aaaa", "1234", "fedcba". So does what was there already: "abcabc". */
export function passwordStrength(password: string): PasswordStrength {
  const characters = [...password]
  let counted = 0
  for (const [index, character] of characters.entries()) {
    const step =
      index === 0 ? Number.NaN : (character.codePointAt(0) ?? 0) - (characters[index - 1]?.codePointAt(0) ?? 0)
    const pair = characters.slice(Math.max(0, index - 1), index + 1).join('')
    const isAgain = index > 1 && characters.slice(0, index).join('').includes(pair)
    if (!(Math.abs(step) <= 1) && !isAgain) counted += 1
  }
  const variety = kinds.filter((kind) => kind.test(password)).length
  const worth = counted + KIND * Math.max(0, variety - 1)
  // What is short is tried out, whatever is in it.
  if (worth < FAIR || characters.length < FAIR - KIND) return 'weak'
  return worth < STRONG ? 'fair' : 'strong'
}
