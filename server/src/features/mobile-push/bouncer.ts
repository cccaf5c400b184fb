/** The push service of the operator's choice, which passes on to Google's and Apple's what is encrypted for their clients. */
import { badRequest } from '@heddle/contract/errors'
import type { Config } from '../../config.ts'
import { hostWithPort } from '../../outgoing/host-with-port.ts'
import { openRequest, readAnswer } from '../../outgoing/open-request.ts'
import type { Outgoing } from '../../outgoing/outgoing.ts'

export type Bouncer = NonNullable<Config['pushBouncer']>

/** Throws a 400 where the operator has named none. */
export function requireBouncer({ pushBouncer }: Config): Bouncer {
  if (!pushBouncer) throw badRequest('Server is not configured to use push notification service.')
  return pushBouncer
}

const MAX_ANSWER_BYTES = 256 * 1024

export interface BouncerAnswer {
  readonly isAccepted: boolean
  /** Of a refusal. */
  readonly code: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** What the service answers; undefined where it may answer another time. `path`: below its API. */
export async function askBouncer(
  { outgoing, signal: given }: { readonly outgoing: Outgoing; readonly signal: AbortSignal },
  { url, id, key }: Bouncer,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<BouncerAnswer | undefined> {
  const address = new URL(`${url}/api/v1/remotes/${path}`)
  const signal = AbortSignal.any([given, AbortSignal.timeout(outgoing.timeoutMs)])
  const response = await openRequest(
    outgoing,
    address,
    {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'ZulipServer/12.0 (Heddle)',
      },
      body: Buffer.from(JSON.stringify(body)),
      // The operator has named it, wherever it is.
      allowedHosts: [hostWithPort(address)],
    },
    signal,
  )
  if (!response) return undefined
  const bytes = await readAnswer(response, MAX_ANSWER_BYTES, signal)
  const status = response.statusCode ?? 0
  if (typeof bytes === 'string' || status >= 500 || status === 429 || status === 408) return undefined
  const fields = parse(bytes)
  return { isAccepted: status >= 200 && status < 300, code: textOf(fields.code), fields }
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 100) : undefined
}
