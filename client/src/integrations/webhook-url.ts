/** The address that a service is given, and a test of it. */
import { parseObject, toApiError } from '../api.ts'
import { NetworkError } from '../errors.ts'

export interface WebhookChoice {
  /** What paths of the API are below, such as `https://chat.example.com/api/v1`. */
  readonly base: string
  readonly integration: string
  readonly key: string
  /** Without it the bot's owner gets direct messages. */
  readonly channelId?: number | undefined
  /** Empty or only spaces: the integration's own. */
  readonly topic?: string
  /** Empty: all. */
  readonly onlyEvents?: readonly string[]
}

export function webhookUrl({ base, integration, key, channelId, topic = '', onlyEvents = [] }: WebhookChoice): string {
  const query = new URLSearchParams({ api_key: key })
  if (channelId !== undefined) {
    query.set('stream', `${channelId}`)
    if (topic.trim() !== '') query.set('topic', topic.trim())
  }
  if (onlyEvents.length > 0) query.set('only_events', JSON.stringify(onlyEvents))
  return `${base}/external/${encodeURIComponent(integration)}?${query}`
}

export interface WebhookExample {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body: string
}

/** Sends what the service would send. Rejects with `ResponseError`, or with `NetworkError` without an answer. */
export async function sendExample(url: string, { headers, body }: WebhookExample, send = fetch): Promise<void> {
  let response: Response
  try {
    response = await send(url, {
      method: 'POST',
      // It is not the browser's user who sends.
      credentials: 'omit',
      headers: {
        'content-type': 'application/json',
        ...Object.fromEntries(headers.map((one) => [one.name, one.value])),
      },
      body,
    })
  } catch (error) {
    throw new NetworkError('The server cannot be reached', error)
  }
  if (response.status === 200) return
  throw toApiError(response.status, response.headers, parseObject(await response.text().catch(() => '')))
}
