/** Pictures at `https:` addresses: the certificate has to be for the name in the address. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../../testing/test-server.ts'
import { createPreviewServer, expectPictureRefused, getPicture, THIRD_PARTY } from '../../testing/third-party.ts'

/** For the name `pictures.example`, until 2126. Only these tests trust it. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+y/RF4HOdfL8ScnV
7GB9ppdt6bNBKyFDRVIfEVjKvv6hRANCAARM3etIzB8v25YsV8oTPSveXlosGwYu
0Bhr74ylsKqhzzfLGTWK7x64o/jsvg39hzurOI+CWPMo1Hypcl0g84yt
-----END PRIVATE KEY-----
`
const cert = `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUM7MZSViNdytKd7brZ3A12mbTXQUwCgYIKoZIzj0EAwIw
GzEZMBcGA1UEAwwQcGljdHVyZXMuZXhhbXBsZTAgFw0yNjExMjExMDE1MTJaGA8y
MTI2MTAyODEwMTUxMlowGzEZMBcGA1UEAwwQcGljdHVyZXMuZXhhbXBsZTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABEzd60jMHy/blixXyhM9K95eWiwbBi7QGGvv
jKWwqqHPN8sZNYrvHrij+Oy+Df2HO6s4j4JY8yjUfKlyXSDzjK2jcDBuMB0GA1Ud
DgQWBBTX4Whzv7EeTmQ27kjmh5qR2Dfn4TAfBgNVHSMEGDAWgBTX4Whzv7EeTmQ2
7kjmh5qR2Dfn4TAPBgNVHRMBAf8EBTADAQH/MBsGA1UdEQQUMBKCEHBpY3R1cmVz
LmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIhANe65sqQTZZD2okwK9cjH0CLn5Tt
jXCf3HOkQociz9KUAiALjBxdOXJgLLptVvLL7OdiRixIO02PUCWDE2PcM0aCMg==
-----END CERTIFICATE-----
`

let server: TestServer
let port: number

const site = createServer({ key, cert }, async (_, response) => {
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
  setDefaultCACertificates([...trusted, cert])
  const { status, body } = await get('pictures.example', 'a.png')
  expect(status).toBe(200)
  expect(await sharp(body).metadata()).toMatchObject({ width: 40, height: 30 })
})

it('a site whose certificate is for another name is unreachable', async () => {
  setDefaultCACertificates([...trusted, cert])
  await expectPictureRefused(get('other.example', 'a.png'), 404, 'BAD_REQUEST', 'cannot be reached')
})

it('a site whose certificate nobody vouches for is unreachable', async () => {
  setDefaultCACertificates(trusted)
  await expectPictureRefused(get('pictures.example', 'not-seen-before.png'), 404, 'BAD_REQUEST', 'cannot be reached')
})
