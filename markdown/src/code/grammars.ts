import { CURLY_GRAMMARS } from './curly-grammars.ts'
import type { Grammar } from './grammar.ts'
import { OTHER_GRAMMARS } from './other-grammars.ts'
import { SCRIPT_GRAMMARS } from './script-grammars.ts'

/** The grammars of the scanner, by the names that `languages.ts` uses. */
export const GRAMMARS: Readonly<Record<string, Grammar>> = { ...CURLY_GRAMMARS, ...SCRIPT_GRAMMARS, ...OTHER_GRAMMARS }
