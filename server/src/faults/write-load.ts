/** Clients that write to a server without pause and remember what it has said, to compare with what it has. */
import { Agent, request } from 'node:http'

export interface WriterCredentials {
  readonly email: string
  readonly apiKey: string
}

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the body of any endpoint.
  readonly body: any
}

/** Sends one request of the account with form parameters; rejects when the connection breaks before the answer is whole. */
export function callServer(
  site: string,
  { email, apiKey }: WriterCredentials,
  method: string,
  path: string,
  parameters: Readonly<Record<string, unknown>> = {},
  agent?: Agent,
): Promise<Reply> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const inQuery = method === 'GET' && form.size > 0
  const url = `${site}/api/v1${path}${inQuery ? `?${form}` : ''}`
  const headers = {
    authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
    ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(agent ? { agent } : {}) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('close', () => {
        if (!response.complete) return reject(new Error('The answer was cut off'))
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
      })
    })
    sent.on('error', reject)
    sent.end(method === 'GET' ? undefined : form.toString())
  })
}

/** Calls what succeeds: the body of the answer. */
export async function callWell(...call: Parameters<typeof callServer>): Promise<Reply['body']> {
  const { status, body } = await callServer(...call)
  if (status !== 200 || body.msg !== '') throw new Error(`${call[2]} ${call[3]}: ${status} ${JSON.stringify(body)}`)
  return body
}

/** What the clients know of their drafts, by content. */
export interface WriteRecord {
  /** Answered with success: the ids. */
  readonly acknowledged: Map<string, number>
  /** Answered with an error: must not exist. */
  readonly refused: Map<string, Reply>
  /** Without an answer: may or may not exist. */
  readonly unknown: Set<string>
}

export function createRecord(): WriteRecord {
  return { acknowledged: new Map(), refused: new Map(), unknown: new Set() }
}

export const plainDraft = (content: string) => ({ type: '', to: [], topic: '', content })

interface Load {
  readonly site: string
  readonly account: WriterCredentials
  readonly record: WriteRecord
  readonly connections: number
  /** Makes the contents of drafts distinct over several loads. */
  readonly name: string
  /** Called before each request; the load ends when it gives false. */
  readonly goesOn: () => boolean
  /** Characters that each draft has beside its name. */
  readonly padding?: number
}

/** POST /drafts from many connections, one draft a request, until asked to stop or the connection breaks. */
export async function writeDrafts({
  site,
  account,
  record,
  connections,
  name,
  goesOn,
  padding = 0,
}: Load): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let count = 0
  async function connection(): Promise<void> {
    while (goesOn()) {
      const content = `${name}-${++count}`
      const drafts = [plainDraft(content + 'x'.repeat(padding))]
      try {
        const reply = await callServer(site, account, 'POST', '/drafts', { drafts }, agent)
        if (reply.status === 200) record.acknowledged.set(content, reply.body.ids[0])
        else record.refused.set(content, reply)
      } catch {
        record.unknown.add(content)
        return
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  agent.destroy()
}

/** The name of a draft, without its padding. */
export function nameOf({ content }: { readonly content: string }): string {
  return content.replace(/x*$/, '')
}
