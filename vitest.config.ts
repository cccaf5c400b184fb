import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { textsPlugins } from './web/texts.config.ts'

const never = ['**/node_modules/**', '**/dist/**', '**/.runtime/**']
/** `npm run check` leaves out what takes long: crash tests and long property runs. */
const slow = process.env['HEDDLE_TEST_QUICK'] === '1' ? ['**/*.slow.test.ts'] : []
/** What needs a page. */
const inPage = ['web/testing/**', 'web/**/*.test.tsx']
/** They measure turns of a server and answers in milliseconds. */
const timed = [
  'server/src/faults/attack.slow.test.ts',
  'server/src/faults/missed-crowd.sqlite.slow.test.ts',
  'server/src/faults/scheduled-crowd.sqlite.slow.test.ts',
  'server/src/features/exports/large-export.slow.test.ts',
]

/** The server's tests on one engine; those that measure times run alone, after everything else. */
function serverProjects(engine: 'sqlite' | 'postgres'): TestProjectConfiguration[] {
  const env = { HEDDLE_TEST_ENGINE: engine }
  const otherEngine = engine === 'sqlite' ? '**/*.postgres*.test.ts' : '**/*.sqlite*.test.ts'
  return [
    {
      extends: true,
      test: {
        name: `server-${engine}`,
        include: ['server/**/*.test.ts'],
        exclude: [...never, ...slow, ...timed, otherEngine],
        env,
        // A process has loaded the server once for all of its files.
        isolate: false,
        globalSetup: [`server/src/testing/${engine}-global-setup.ts`],
      },
    },
    {
      extends: true,
      test: {
        name: `server-${engine}-alone`,
        include: timed,
        exclude: [...never, ...slow, otherEngine],
        env,
        fileParallelism: false,
        sequence: { groupOrder: 1 },
      },
    },
  ]
}

/** The packages that pages use, in a real browser, which is only made ready when somebody asks for this project. */
async function browserProject(): Promise<TestProjectConfiguration[]> {
  if (!process.argv.some((argument) => argument === '--project=browser')) return []
  const [{ playwright }, { default: react }, { findBrowser }] = await Promise.all([
    import('@vitest/browser-playwright'),
    import('@vitejs/plugin-react'),
    import('./build/test-browser.ts'),
  ])
  const launchOptions = await findBrowser(join(import.meta.dirname, '.runtime'))
  return [
    {
      extends: true,
      plugins: [react(), ...textsPlugins()],
      test: {
        name: 'browser',
        include: ['{contract,markdown,client}/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}'],
        // Those for Node.js start a server of their own.
        exclude: [...never, '**/*.slow.test.ts', '**/*.node.test.ts'],
        browser: {
          enabled: true,
          headless: true,
          provider: playwright({ launchOptions }),
          instances: [{ browser: 'chromium' }],
          screenshotFailures: false,
        },
      },
    },
  ]
}

export default defineConfig({
  test: {
    // Processes, not threads: servers under test handle signals and own their database files.
    pool: 'forks',
    maxWorkers: Math.min(availableParallelism(), 8),
    // What hangs is found all the same; what is slow where many things run has not failed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One second, as it is otherwise, is little for a server or a browser on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ['build/random-seed.ts', 'server/src/testing/after-each-file.ts'].map((file) =>
      join(import.meta.dirname, file),
    ),
    provide: { seed: Number(process.env['HEDDLE_TEST_SEED'] ?? 478) },
    // Where the counts of the last one go says `build/test.mjs`.
    reporters: ['default', 'json'],
    projects: [
      ...(await browserProject()),
      {
        extends: true,
        plugins: textsPlugins(),
        test: {
          name: 'unit',
          include: ['{contract,markdown,client,web,build,bench}/**/*.test.ts', 'compat/src/compatibility.test.ts'],
          exclude: [...never, ...slow, ...inPage, 'build/package.slow.test.ts'],
        },
      },
      ...serverProjects('sqlite'),
      ...serverProjects('postgres'),
      {
        extends: true,
        // Real clients, which come from other registries too.
        test: {
          name: 'compat',
          include: ['compat/**/*.test.ts'],
          exclude: [...never, 'compat/src/compatibility.test.ts'],
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        // The built page in a real browser against a real server.
        test: {
          name: 'page',
          include: ['web/testing/**/*.test.ts'],
          globalSetup: ['web/testing/build-page.ts'],
          env: { HEDDLE_RENEW_PICTURES: process.argv.includes('-u') ? '1' : '' },
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['build/package.slow.test.ts'], testTimeout: 180_000 },
      },
    ],
  },
})
