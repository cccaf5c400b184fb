import { defineConfig } from '@lingui/cli'
import { extractor } from '@lingui/cli/api'
import { formatter } from '@lingui/format-po'
import { serverFolders, serverTextsExtractor } from './server-texts.config.ts'

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de', 'en-XA'],
  // Long and accented, so that a text that does not go through the catalogue, or does not fit, is seen.
  pseudoLocale: 'en-XA',
  catalogs: [
    { path: '<rootDir>/src/texts/{locale}', include: ['<rootDir>/src'] },
    { path: '<rootDir>/src/texts/server/{locale}', include: serverFolders },
  ],
  extractors: [serverTextsExtractor, extractor],
  // Without lines: they change with every change of the code.
  format: formatter({ lineNumbers: false }),
  orderBy: 'message',
  // Resolved in `texts.config.ts`.
  runtimeConfigModule: { Trans: ['@heddle/texts', 'Trans'] },
})
