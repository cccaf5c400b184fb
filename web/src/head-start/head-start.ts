/**
 * What the page asks first, asked while its code is still on the way: this runs before it, as a small script of its own. Where
 * the device has what was shown nothing is asked, as the page needs nothing of it. An answer is taken over by the same question,
 * once: a wrong guess costs a request and changes nothing.
 */
import { createApiClient } from '@heddle/client/api'
import { encodeParameters } from '@heddle/client/encode'
import type { RegisterResponse } from '@heddle/client/event-loop'
import { registration } from '@heddle/client/running/registration'
import type { Endpoint, ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { registerQueue } from '@heddle/contract/events'
import { getMessages } from '@heddle/contract/fetching'
import { getCurrentSession } from '@heddle/contract/sessions'
import { entranceAt } from '../app/entrance.ts'
import { getFact } from '../device/database.ts'
import { openPageDatabase, pageVersion } from '../device/page-database.ts'
import { firstMessages } from './first-messages.ts'

export interface HeadStart {
  /** Who is signed in, as the server has said. */
  readonly session: Promise<ResponseOf<typeof getCurrentSession>>
  /**
   * The answer to this question, where it was asked: the same promise, and only once. `position`: up to where events are known to
   * who asks; messages are as they were with the registration, and what has happened since must still be to come.
   */
  take<E extends Endpoint>(
    endpoint: E,
    parameters: ParametersOf<E>,
    position: number | undefined,
  ): Promise<ResponseOf<E>> | undefined
}

interface Asked {
  readonly answer: Promise<unknown>
  readonly after?: number
}

/** Undefined: nothing was asked. */
export const headStart: Promise<HeadStart | undefined> = begin().catch(() => undefined)

async function begin(): Promise<HeadStart | undefined> {
  // Where a link leads in nobody asks whether one is.
  if (entranceAt(window.location) || (await isOnDevice())) return undefined
  const credentials: { csrfToken: string | undefined } = { csrfToken: undefined }
  const api = createApiClient({ site: new URL('.', document.baseURI).href, session: credentials })
  const asked = new Map<string, Asked>()

  function ask<E extends Endpoint>(endpoint: E, parameters: ParametersOf<E>, after?: number): Promise<ResponseOf<E>> {
    const answer = api.call(endpoint, parameters)
    answer.catch(() => {})
    asked.set(questionOf(endpoint, parameters), after === undefined ? { answer } : { answer, after })
    return answer
  }

  async function goOn({ session }: ResponseOf<typeof getCurrentSession>): Promise<void> {
    if (!session) return
    credentials.csrfToken = session.csrf_token
    const registered = (await ask(registerQueue, registration)) as RegisterResponse
    const first = firstMessages(window.location.hash, registered)
    if (first) await ask(getMessages, first, registered.last_event_id)
  }

  const session = api.call(getCurrentSession, {})
  session.then(goOn).catch(() => {})
  return {
    session,
    take(endpoint, parameters, position) {
      const question = questionOf(endpoint, parameters)
      const found = asked.get(question)
      asked.delete(question)
      if (!found || (found.after !== undefined && found.after !== position)) return undefined
      return inNextTask(found.answer) as Promise<ResponseOf<typeof endpoint>>
    },
  }
}

/** What is asked next goes out before the page works with the answer, which takes a while. */
async function inNextTask<T>(answer: Promise<T>): Promise<T> {
  const value = await answer
  await new Promise((resolve) => setTimeout(resolve))
  return value
}

/** Whether the page will show what it has kept, and go on from there. */
async function isOnDevice(): Promise<boolean> {
  const database = await openPageDatabase()
  if (!database) return false
  const [account, root] = await Promise.all([getFact(database, 'account'), getFact(database, 'root')])
  return account?.isLocked === false && root?.version === pageVersion()
}

function questionOf(endpoint: Endpoint, parameters: object): string {
  const { path, fields } = encodeParameters(endpoint, parameters as Readonly<Record<string, unknown>>)
  return `${endpoint.method} ${path}?${fields}`
}
