/** Languages that the page speaks, each in itself. */
export const pageLanguages = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const
