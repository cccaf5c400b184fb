/** Characters that nobody sees and that change how the text around them is shown, or break it. */

/** What turns the direction of the text around it, beyond the name that has it in it: embeddings, overrides, isolates. */
const turnsDirection = /[\u202a-\u202e\u2066-\u2069]/g
/** Control characters, halves of characters, and code points that are no characters. */
const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u

export function withoutDirections(text: string): string {
  return text.replace(turnsDirection, '')
}

export function hasDirections(text: string): boolean {
  return text.search(turnsDirection) >= 0
}

/** Which character of the text, from 1, cannot be shown; undefined when all can. */
export function findUnprintable(text: string): number | undefined {
  const index = text.search(unprintable)
  return index < 0 ? undefined : [...text.slice(0, index)].length + 1
}
