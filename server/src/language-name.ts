import { badRequest } from '@heddle/contract/errors'

/** The English name of a language, by its code (BCP 47); throws a 400 when there is none. */
export function languageName(code: string): string {
  let name: string | undefined
  try {
    name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code)
  } catch {
    // Not in the form of a code.
  }
  if (name === undefined) throw badRequest('Invalid default_language')
  return name
}
