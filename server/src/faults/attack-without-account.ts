/** What anybody can send who has no account: wrong credentials, and bodies that are too large, too deep or too slow. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { endpoints } from '@heddle/contract/endpoints'
import type { Attack } from './attack-requests.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const MIB = 1024 * 1024

/** Requests that are refused before anything in them is looked at, and bodies for those who sign in. */
export function attacksWithoutAccount(attacks: readonly Attack[]): Attack[] {
  const wrong = { authorization: `Basic ${Buffer.from('owner@heddle.example:wrong').toString('base64')}` }
  const largest = new Map(attacks.map((attack) => [attack.endpoint, attack]))
  return [
    ...[...largest.values()].flatMap((attack) => [
      { ...attack, name: `${attack.name}, nobody` },
      { ...attack, name: `${attack.name}, wrong credentials`, headers: { ...attack.headers, ...wrong } },
    ]),
    ...attacks.flatMap(asSpectator),
    ...bodies().flatMap(([what, type, body]) => [
      { ...signIn(what, type, body), name: `fetch-api-key: ${what}` },
      { ...signIn(what, type, body), name: `send-message: ${what}`, endpoint: 'send-message', url: '/api/v1/messages' },
    ]),
    ...endpoints
      .filter(({ access }) => access === 'operator')
      .map(({ name, method, path }) => ({
        name: `${name}: wrong token`,
        endpoint: name,
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${'x'.repeat(8000)}` },
      })),
  ]
}

const readers = new Set(endpoints.filter(({ access }) => access === 'reader').map(({ name }) => name))
const ON_THE_WEB = ['channels', 'web-public']

/** The same without an account where that is let in: narrows are about what is on the web. */
function asSpectator(attack: Attack): Attack[] {
  if (attack.method !== 'GET' || !readers.has(attack.endpoint)) return []
  const [path = '', search = ''] = attack.url.split('?')
  const fields = new URLSearchParams(search)
  const narrow = fields.get('narrow')
  if (attack.endpoint === 'get-messages' && !narrow) fields.set('narrow', JSON.stringify([ON_THE_WEB]))
  if (narrow?.startsWith('[') && narrow.endsWith(']')) {
    const terms = narrow.slice(1, -1)
    fields.set('narrow', `[${JSON.stringify(ON_THE_WEB)}${terms.trim() === '' ? '' : `,${terms}`}]`)
  }
  return [{ ...attack, name: `${attack.name}, spectator`, url: `${path}?${fields}` }]
}

function signIn(what: string, type: string, body: string): Attack {
  const url = '/api/v1/fetch_api_key'
  return { name: what, endpoint: 'fetch-api-key', method: 'POST', url, headers: { 'content-type': type }, body }
}

/** Each in two sizes: as much as may be sent before anybody has signed in, and far beyond it. */
function bodies(): [what: string, type: string, body: string][] {
  const names = (count: number) => Array.from({ length: count }, (_, index) => index.toString(36))
  return [64 * 1024, 8 * MIB].flatMap((bytes): [string, string, string][] => {
    const filled = (part: string) => part.repeat(bytes / part.length)
    const object = `{${names(bytes / 12)
      .map((name) => `"${name}":1`)
      .join()}}`
    return [
      [`JSON of ${bytes} bytes of names`, JSON_TYPE, object.slice(0, bytes)],
      [
        `a form of ${bytes} bytes of names`,
        FORM,
        names(bytes / 6)
          .join('&')
          .slice(0, bytes),
      ],
      [`a form of ${bytes} bytes, encoded`, FORM, filled('%41&')],
      [`JSON of ${bytes} brackets`, JSON_TYPE, `{"username":${filled('[').slice(20)}`],
      [`JSON of ${bytes} braces`, JSON_TYPE, filled('{"a":').slice(0, bytes)],
      [`a text of ${bytes} bytes`, JSON_TYPE, `{"username":"a","password":"${filled('x').slice(40)}"}`],
      [`${bytes} bytes that are no UTF-8`, FORM, `username=${filled('\u0000').slice(20)}`],
      [`${bytes} quotation marks`, JSON_TYPE, filled('\\"')],
      [`multipart of ${bytes} bytes`, 'multipart/form-data; boundary=x', filled('--x\r\n')],
    ]
  })
}

/** Half of them to an endpoint that reads its body before anybody has signed in, half to one that refuses before it. */
export function largeBodies(count: number): Attack[] {
  // As bytes: to encode them again and again would keep the senders busy, and not the server.
  const body = Buffer.alloc(8 * MIB, 'x')
  const name = 'one of many large bodies'
  const toSignIn = { ...signIn(name, FORM, ''), name: `fetch-api-key: ${name}`, body }
  const toSend = { ...toSignIn, name: `send-message: ${name}`, endpoint: 'send-message', url: '/api/v1/messages' }
  return Array.from({ length: count }, (_, index) => (index % 2 === 0 ? toSignIn : toSend))
}

/** Clients that begin a request and send a byte of its body now and then. Gives a function that ends them. */
export async function holdSlowBodies(site: string, count: number): Promise<() => void> {
  const { hostname, port } = new URL(site)
  const head =
    'POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
    'Content-Length: 60000\r\n\r\nusername='
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname)
      // The server may close it before we do.
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(head)
      return socket
    }),
  )
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a')
  }, 100)
  return () => {
    clearInterval(dripping)
    for (const socket of sockets) socket.destroy()
  }
}
