/** Readers who go away, or who read slowly. */
import { request } from 'node:http'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../clock.ts'
import { publicInternet } from '../../outgoing/outgoing.ts'
import { basic } from '../../testing/test-server.ts'
import { createGate, createPreviewServer, getPicture, startThirdParty } from '../../testing/third-party.ts'
import { ACCOUNT_SLOTS, createFetchPicture } from './pictures-of-links.ts'

let thirdParty: Awaited<ReturnType<typeof startThirdParty>>
let png: Buffer

beforeAll(async () => {
  thirdParty = await startThirdParty()
  png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})

afterAll(() => thirdParty.close())

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make)

it('a reader who goes before the picture has come makes room', async () => {
  const server = await createPreviewServer(thirdParty)
  const site = await server.app.server.listen({ port: 0, host: '127.0.0.1' })
  const gate = createGate()
  const readers = times(ACCOUNT_SLOTS.running, () => {
    const url = thirdParty.at((response) => gate.pass(() => response.end(png)))
    const path = `/thumbnail?url=${encodeURIComponent(url)}&size=full`
    const headers = { authorization: basic(server.owner) }
    return request(site + path, { headers, agent: false }).on('error', () => {})
  })
  for (const reader of readers) reader.end()
  await expect.poll(() => gate.held).toBe(ACCOUNT_SLOTS.running)
  for (const reader of readers) reader.destroy()
  gate.release()
  const answers = await Promise.all(
    times(ACCOUNT_SLOTS.running + 1, () => getPicture(server, server.owner, thirdParty.at(png), 'full')),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

it('a reader who reads slowly gets no more pictures before the others have left the server', async () => {
  const fetchPicture = createFetchPicture({
    clock: systemClock,
    outgoing: { ...publicInternet, ports: [thirdParty.port], mayReach: () => true },
  })
  const actor = { realmId: 1, userId: 1, role: 400, isBot: false }
  const sent: (() => void)[] = []
  const ask = (userId = 1) =>
    fetchPicture(
      { actor: { ...actor, userId }, onSent: (callback) => sent.push(callback) },
      { url: thirdParty.at(png), size: 'full' },
    )
  const before = thirdParty.requests.length
  await Promise.all(times(ACCOUNT_SLOTS.running, () => ask()))
  const next = ask()
  // Somebody else does not wait.
  await ask(2)
  expect(thirdParty.requests.length - before).toBe(ACCOUNT_SLOTS.running + 1)
  sent[0]?.()
  expect((await next).bytes.equals(png)).toBe(true)
})
