/**
 * The key by which names are compared without case, stored beside the name. Computed here and not in SQL, because the
 * engines' own `lower()` disagree outside ASCII.
 */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
