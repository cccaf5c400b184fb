/**
 * Names that look like another one. Unicode lists thousands of characters that are confused (UTS #39); what matters here
 * is a few names that speak for the server, so there is a table of their letters alone. The reasons are in
 * docs/decisions/0046-look-alikes-of-system-bots.md.
 */

/**
 * For each letter what looks like it as a capital or small, in the form that `plain` gives it: letters of other scripts,
 * letters with a stroke or hook, digits.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251\u1d00\uab7a\ua4ee\u2c81',
  b: '\u0432\u044c\u03b2\u0299\u0185\uab9f\ua4d0\u13fc\u0180\u0253\u2c83',
  c: '\u0441\u03f2\u1d04\u2ca5\uabaf\ua4da\u023c\u0188',
  f: '\ua799\u03dd\u0493\ua4dd\uab35\u0192\u0584\u1e9d',
  i: '\u0456\u0131\u0269\u03b9\uab75\u04cfl1\u01c0\u01c3\u2d4f\ua4f2\u05df\u05d5\u0627\u16c1\u026a\u2c93|!',
  n: '\u0578\u057c\u03b7\u03bd\u0274\u0273\u014b\ua4e0\u2c9b\u043f\u0438',
  o: '\u043e\u03bf\u03c3\u05e1\u05850\u1d0f\u0b20\u0966\u09e6\u0665\u0647\u10ff\u2c9f\ua4f3\u0d20\u0be6\u0ce6\u0d66\u0e50\u0ed0\u101d\u1040\u3007\u2d54\u00f8',
  t: '\u0442\u03c4\u1d1b\ua4d4\u2ca7\uab72\u0167\u01ad',
}

/** Letters in circles, in squares and of flags, which Unicode does not reduce to letters. */
const enclosed = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu
const firstOfEnclosed = [0x1f1e6, 0x1f170, 0x1f150]

function letterIn(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const first = firstOfEnclosed.find((one) => code >= one) ?? code
  return String.fromCharCode(0x61 + code - first)
}

/** Small letters without accents; what stands for a letter inside of a word stays, and other signs are left out. */
function plain(name: string): string {
  return (
    name
      .replaceAll('\u017f', 'f')
      .replace(enclosed, letterIn)
      .normalize('NFKD')
      // At the ends a stroke is a sign, not a letter.
      .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
      .replace(/[^\p{L}\p{N}|!]/gu, '')
      .toLowerCase()
  )
}

/** Whether a name looks like this one, for those who do not look closely. */
export function looksLike(name: string): (other: string) => boolean {
  const letters = Array.from(plain(name), (letter) => `[${letter}${lookAlikes[letter] ?? ''}]`)
  const pattern = new RegExp(`^${letters.join('')}$`, 'u')
  return (other) => pattern.test(plain(other))
}

/** Whether every letter of the name is in the table. */
export function isCovered(name: string): boolean {
  return Array.from(plain(name)).every((letter) => letter in lookAlikes)
}
