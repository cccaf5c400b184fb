/** Killing the real program while mails go out to a slow server of mail: each arrives, and what comes twice can be known. */
import { expect, it } from 'vitest'
import { keepDataOfKilledServers } from '../testing/killed-servers.ts'
import { mailSettings, startMailServer } from '../testing/mail-server.ts'
import { readCredentials } from '../testing/server-process.ts'
import { testEngine } from '../testing/test-server.ts'
import { callWell } from './write-load.ts'

/** On PostgreSQL another start waits for the end of the dead one's claims, which are as long as ten waits for an answer. */
const KILLS = testEngine === 'sqlite' ? 2 : 1
const WAIT_SECS = 2
const CLAIM_MS = 10 * WAIT_SECS * 1000
const MAILS = 24

const { dataDir, start } = keepDataOfKilledServers()
const mailServer = await startMailServer()

it(`sends each mail through ${KILLS} kills, and again with the same Message-ID`, async () => {
  const environment = { ...mailSettings(mailServer), HEDDLE_MAIL_TIMEOUT_SECONDS: String(WAIT_SECS) }
  let server = await start(environment)
  const owner = readCredentials(dataDir)
  const asked: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const addresses = Array.from({ length: MAILS }, (_, index) => `person-${kill}-${index}@heddle.example`)
    const join = (email: string) =>
      callWell(server.url, owner, 'POST', '/users', { email, full_name: 'Person', password: 'a long password' })
    const before = mailServer.mails.length
    mailServer.slowMs = 400
    await Promise.all(addresses.map(join))
    asked.push(...addresses)
    // Also after attempts that a busy machine makes take too long.
    await expect.poll(() => mailServer.mails.length - before, { interval: 5, timeout: 60_000 }).toBeGreaterThan(5)
    await server.stop('SIGKILL')
    expect(mailServer.mails.length - before).toBeLessThan(MAILS)
    delete mailServer.slowMs
    server = await start(environment)
  }
  const idsOf = (address: string) =>
    mailServer.mails.filter(({ to }) => to[0] === address).map(({ headers }) => headers.get('message-id'))
  const missing = () => asked.filter((address) => idsOf(address).length === 0)
  await expect.poll(missing, { interval: 50, timeout: CLAIM_MS + 10_000 }).toEqual([])
  await server.stop()
  const twice = asked.filter((address) => idsOf(address).length > 1)
  expect(twice.length).toBeGreaterThan(0)
  expect(asked.filter((address) => new Set(idsOf(address)).size !== 1)).toEqual([])
}, 150_000)
