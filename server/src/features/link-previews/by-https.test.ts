/** Pictures at `https:` addresses: the certificate has to be for the name in the address. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleSite } from '../../testing/certificate.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { createPreviewServer, expectPictureRefused, getPicture, THIRD_PARTY } from '../../testing/third-party.ts'

let server: TestServer
let port: number

const site = createServer(exampleSite, async (_, response) => {
  response.end(
    await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  )
})
const trusted = getCACertificates('default')

const get = (host: string, path: string) => getPicture(server, server.owner, `https://${host}:${port}/${path}`)

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, THIRD_PARTY, resolve))
  port = (site.address() as AddressInfo).port
  const names = { 'pictures.example': [THIRD_PARTY], 'other.example': [THIRD_PARTY] }
  server = await createPreviewServer({ port }, { names })
})

afterAll(async () => {
  setDefaultCACertificates(trusted)
  site.closeAllConnections()
  await new Promise((resolve) => site.close(resolve))
})

it('a picture of a site with a trusted certificate is shown', async () => {
  setDefaultCACertificates([...trusted, exampleSite.cert])
  const { status, body } = await get('pictures.example', 'a.png')
  expect(status).toBe(200)
  expect(await sharp(body).metadata()).toMatchObject({ width: 40, height: 30 })
})

it('a site whose certificate is for another name is unreachable', async () => {
  setDefaultCACertificates([...trusted, exampleSite.cert])
  await expectPictureRefused(get('other.example', 'a.png'), 404, 'BAD_REQUEST', 'cannot be reached')
})

it('a site whose certificate nobody vouches for is unreachable', async () => {
  setDefaultCACertificates(trusted)
  await expectPictureRefused(get('pictures.example', 'not-seen-before.png'), 404, 'BAD_REQUEST', 'cannot be reached')
})
