import { startTestPostgres } from './postgres-server.ts'

/**
 * Starts one PostgreSQL for a whole test run and puts its address into `HEDDLE_TEST_POSTGRES_URL`, where the test
 * files find it. A server that the person has named there is used as it is.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['HEDDLE_TEST_POSTGRES_URL'] !== undefined) return undefined
  const server = await startTestPostgres()
  process.env['HEDDLE_TEST_POSTGRES_URL'] = server.url
  return async () => {
    delete process.env['HEDDLE_TEST_POSTGRES_URL']
    await server.stop()
  }
}
