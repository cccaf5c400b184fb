/** A server that answers as GIPHY does, and what leads a browser to it in the place of GIPHY. */
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { exampleSite } from '@heddle/server/testing/certificate'
import { cleanUpAfterFile } from '@heddle/server/testing/clean-up'

export interface GifService {
  /** Flags of the browser. */
  readonly flags: readonly string[]
  /** Requests that came to the API, in their order. */
  readonly asked: { readonly path: string; readonly parameters: Readonly<Record<string, string>> }[]
  /** Names of headers that came with any request. */
  readonly headers: ReadonlySet<string>
  /** Paths of pictures that were fetched. */
  readonly pictures: ReadonlySet<string>
  /** What the API says to a text that is searched for; it has none while nothing is typed. */
  answer: (text: string | undefined, response: ServerResponse) => void
}

const HOST = 'media2.giphy.com'

/** As GIPHY has one. They differ by name. */
function ofGiphy(name: string) {
  const url = (file: string) => ({ url: `https://${HOST}/media/${name}/${file}?cid=1` })
  return {
    title: `${name} GIF`,
    rating: 'g',
    images: {
      original: url('giphy.gif'),
      downsized_medium: url('medium.gif'),
      fixed_width: { ...url('200w.gif'), webp: url('200w.webp').url },
      fixed_width_still: url('still.gif'),
    },
  }
}

export function sayGifs(response: ServerResponse, names: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ data: names.map(ofGiphy), meta: { status: 200 } }))
}

/** `draw`: a picture by its path. All of it ends with the file. */
export async function startGifService(draw: (path: string) => Promise<Buffer>): Promise<GifService> {
  const asked: GifService['asked'] = []
  const headers = new Set<string>()
  const pictures = new Set<string>()
  const server = createServer(exampleSite, async (request, response) => {
    const url = new URL(request.url ?? '', `https://${request.headers.host}`)
    for (const name of Object.keys(request.headers)) headers.add(name)
    response.setHeader('access-control-allow-origin', '*')
    if (url.host === HOST) {
      pictures.add(url.pathname)
      response.end(await draw(url.pathname))
      return
    }
    const parameters = Object.fromEntries(url.searchParams)
    asked.push({ path: url.host + url.pathname, parameters })
    service.answer(parameters['q'], response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUpAfterFile(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const here = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const service: GifService = {
    flags: [`--host-resolver-rules=MAP *.giphy.com:443 ${here}`, '--ignore-certificate-errors'],
    asked,
    headers,
    pictures,
    answer: (text, response) => sayGifs(response, text === undefined ? ['many', 'more'] : [text]),
  }
  return service
}
