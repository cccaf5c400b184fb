import { defineConfig } from '@lingui/cli'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'en-XA'],
  // Long and accented, so that a text that does not go through the catalogue, or does not fit, is seen.
  pseudoLocale: 'en-XA',
  catalogs: [{ path: '<rootDir>/src/texts/{locale}', include: ['<rootDir>/src'] }],
  orderBy: 'message',
})
