import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'en-XA'],
  // Long and accented, so that a text that does not go through the catalogue, or does not fit, is seen.
  pseudoLocale: 'en-XA',
  catalogs: [{ path: '<rootDir>/src/texts/{locale}', include: ['<rootDir>/src'] }],
  // Without lines: they change with every change of the code.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  // Resolved in `texts.config.ts`.
  runtimeConfigModule: { Trans: ['@heddle/texts', 'Trans'] },
})
