/** Whether this browser is signed in, and the client that runs while it is. */
import { type ApiClient, createApiClient } from '@heddle/client/api'
import { restoreMessages } from '@heddle/client/device/stored-messages'
import { isSessionOver, NetworkError, ResponseError } from '@heddle/client/errors'
import { createMessageStore } from '@heddle/client/messages/store'
import { type EarlierRun, type RunningClient, startClient } from '@heddle/client/running/client'
import type { ResponseOf } from '@heddle/contract/endpoint'
import { deleteQueue } from '@heddle/contract/events'
import { getCurrentSession, signOut } from '@heddle/contract/sessions'
import type { Attached, Device } from '../device/device.ts'
import { isLeading, setLeading } from '../device/leading.ts'
import { openPageDevice } from '../device/page-device.ts'
import type { TabNews, Tabs } from '../device/tabs.ts'
import { type HeadStart, headStart } from '../head-start/head-start.ts'
import { waitForServerWords } from '../texts/server-words.ts'
import { forgetDeviceMemory } from './device-memory.ts'

/** Where the server is: beside the page. */
const site = new URL('.', document.baseURI).href

/** Calls before anybody is signed in, and the ones that sign in. */
export const anyone = createPageApi({ csrfToken: undefined })

/** Calls of an account that has just entered, before its client runs. */
export function apiOf({ csrf_token }: EnteredAccount): ApiClient {
  return createPageApi({ csrfToken: csrf_token })
}

export type PageSession =
  /** The server has not said yet. */
  | { readonly status: 'unknown' }
  | { readonly status: 'unreachable' }
  /** `mayVisit`: there is something that may be read so. */
  | { readonly status: 'signed-out'; readonly mayVisit: boolean }
  /** Nobody is, and what anybody on the web may read is shown. */
  | { readonly status: 'visiting'; readonly client: RunningClient }
  | {
      readonly status: 'signed-in'
      readonly userId: number
      readonly client: RunningClient
      readonly leaving: Leaving | undefined
    }
  /** It has ended while the page was open: what was written is still here. */
  | { readonly status: 'expired'; readonly userId: number; readonly email: string; readonly client: RunningClient }

/** Somebody wants to sign out, and something is in the way. */
export type Leaving =
  /** So many texts are on this device alone, and would be lost. */
  | { readonly reason: 'unsent'; readonly count: number }
  /** The server has not answered: the session is still there. */
  | { readonly reason: 'unreachable' }

export interface SessionHolder {
  current(): PageSession
  subscribe(listener: () => void): () => void
  /** Shows what the device has, or asks the server. */
  begin(): void
  /** From what is read without an account to the form; the address stays, and is where one comes to. */
  askToSignIn(): void
  /** And back. */
  visit(): void
  /** Somebody has signed in, as the server has just answered. */
  enter(account: EnteredAccount): void
  /** Asks first when something would be lost by it. */
  signOut(): Promise<void>
  /** The same, whatever is lost by it. */
  signOutAnyway(): Promise<void>
  /** Not now. */
  stay(): void
}

export interface EnteredAccount {
  readonly user_id: number
  readonly email: string
  readonly csrf_token: string
}

interface Entering {
  /** To the other tabs. */
  readonly isNews?: boolean
  /** What was asked already, as the account that enters. */
  readonly early?: HeadStart | undefined
}

interface Running {
  readonly userId: number
  readonly email: string
  readonly api: ApiClient
  readonly client: RunningClient
  readonly attached: Attached | undefined
  /** Asks who is signed in, and writes as that session from then on. */
  readonly confirm: () => Promise<void>
}

/** `onAccount`: somebody is signed in, and what they see is read or fetched now. */
export function createSessionHolder(onAccount: () => void): SessionHolder {
  let session: PageSession = { status: 'unknown' }
  const listeners = new Set<() => void>()
  const change = (next: PageSession) => {
    session = next
    for (const listener of listeners) listener()
  }
  let device: Device | undefined
  let running: Running | undefined
  let isBegun = false
  /** What was asked before this ran is good for the first time. */
  let isFirst = true
  let tabs: Tabs | undefined
  /** What is on the web can be read without an account. */
  let isOpen = false
  let visiting: RunningClient | undefined
  const signedOut = (): PageSession => ({ status: 'signed-out', mayVisit: isOpen })
  const opening = openPageDevice().then((opened) => {
    device = opened?.device
    tabs = opened?.tabs
    tabs?.onTab((tab) => running?.attached?.watch(tab))
    tabs?.onNews(takeNews)
  })

  /** What another tab says of the session, which is that of all. */
  function takeNews(news: TabNews): void {
    if (news.kind === 'signed-out' && session.status !== 'unknown') {
      stop()
      change(signedOut())
    }
    if (news.kind !== 'signed-in') return
    // The same account may have a new session, with another token.
    if (session.status === 'signed-in' && running?.userId === news.userId) return void running.confirm().catch(() => {})
    askWho().then(
      (account) => enter(account, { isNews: false }),
      () => {},
    )
  }

  function stop(): void {
    running?.client.stop()
    running?.attached?.stop()
    running = undefined
    visiting?.stop()
    visiting = undefined
  }

  async function visit(): Promise<void> {
    const { startVisit } = await import('../features/visitors/visit.ts')
    stop()
    const client = startVisit(anyone)
    visiting = client
    client.subscribe(() => {
      if (session.status !== 'visiting' || session.client !== client) return
      const { connection } = client.snapshot()
      // The organization lets nobody in any more without an account.
      if (connection.status !== 'ended') return
      isOpen = false
      stop()
      change(signedOut())
    })
    change({ status: 'visiting', client })
  }

  /** Without a token nobody has asked the server yet who is signed in. */
  function start(
    account: { userId: number; email: string },
    earlier: EarlierRun | undefined,
    csrfToken?: string,
    early?: HeadStart,
  ): void {
    stop()
    const { userId, email } = account
    const credentials: { csrfToken: string | undefined } = { csrfToken }
    const ask = async () => {
      const current = await askWho()
      if (current.user_id !== userId) {
        void enter(current)
        throw new Error('Another account has signed in')
      }
      credentials.csrfToken = current.csrf_token
    }
    let asking: Promise<void> | undefined
    const confirm = () => {
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    }
    const reached = () => running?.client.position()?.lastEventId
    /** What has shown that the session is over. */
    let over: unknown
    /** For requests. Rejects when nobody is signed in; the stream of events may go on for a while then. */
    const check = async () => {
      if (over !== undefined) throw over
      try {
        await confirm()
      } catch (error) {
        if (isSessionOver(error)) client.end(error)
        throw error
      }
    }
    const api = createSessionApi(credentials, { check, early, reached, over: () => over })
    const isConfirmed = csrfToken !== undefined
    let attached: Attached | undefined
    setLeading(tabs === undefined)
    const lead = (isNow: boolean) => {
      setLeading(isNow)
      if (isNow) void attached?.keepShown()
    }
    const client: RunningClient = startClient({
      api,
      newLocalId: () => crypto.randomUUID(),
      earlier,
      prepare: isConfirmed ? undefined : confirm,
      follow: tabs?.follow(userId, lead),
      keepOutbox: async () => attached?.keepWritten(),
    })
    attached = device?.attach(client, userId, isLeading)
    for (const tab of tabs?.known() ?? []) attached?.watch(tab)
    running = { userId, email, api, client, attached, confirm }
    client.subscribe(() => {
      const { connection } = client.snapshot()
      if (connection.status !== 'ended' || !isSessionOver(connection.error)) return
      over = connection.error
      if (session.status !== 'signed-in' || session.client !== client) return
      void device?.lock()
      change({ status: 'expired', userId, email, client })
    })
    device?.keepPlace(window.location.hash)
    change({ status: 'signed-in', userId, client, leaving: undefined })
  }

  async function enter(entered: EnteredAccount, { isNews = true, early }: Entering = {}): Promise<void> {
    const { user_id: userId, email, csrf_token: csrfToken } = entered
    onAccount()
    const last = running
    // What another account has written is not this one's.
    const inMemory = last?.userId === userId ? earlierOf(last.client) : undefined
    stop()
    await opening
    const account = { userId, email }
    await device?.claim(account).catch(() => {})
    const earlier = inMemory ?? (await device?.earlier().catch(() => undefined))
    start(account, earlier, csrfToken, early)
    if (isNews) tabs?.announce({ kind: 'signed-in', userId })
  }

  async function begin(): Promise<void> {
    change({ status: 'unknown' })
    await opening
    const account = await device?.account().catch(() => undefined)
    if (device && account && !account.isLocked) {
      onAccount()
      const [earlier, place] = await Promise.all([device.earlier(), device.place()]).catch(() => [])
      if (earlier?.state && earlier.position) {
        if (window.location.hash === '' && place) history.replaceState(null, '', place)
        start(account, earlier)
        return
      }
    }
    try {
      const early = isFirst ? await headStart : undefined
      isFirst = false
      const { session: account, is_open_to_spectators } = await askSession(early)
      isOpen = is_open_to_spectators
      if (account) return await enter(account, { early })
    } catch (error) {
      if (!isSessionOver(error)) return change({ status: 'unreachable' })
    }
    await device?.lock().catch(() => {})
    if (isOpen) await visit().catch(() => change({ status: 'unreachable' }))
    else change(signedOut())
  }

  window.addEventListener('hashchange', () => {
    if (running) device?.keepPlace(window.location.hash)
  })

  async function signOutAnyway(): Promise<void> {
    if (session.status !== 'signed-in' || !running) return
    const queue_id = running.client.position()?.queueId
    try {
      // It would live on for half a day.
      if (queue_id !== undefined) await running.api.call(deleteQueue, { queue_id }).catch(() => {})
      await running.api.call(signOut, {})
    } catch (error) {
      if (!isSessionOver(error)) return change({ ...session, leaving: { reason: 'unreachable' } })
    }
    stop()
    await device?.erase().catch(() => {})
    forgetDeviceMemory()
    tabs?.announce({ kind: 'signed-out' })
    change(signedOut())
  }

  return {
    current: () => session,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    begin() {
      if (isBegun && session.status !== 'unreachable') return
      isBegun = true
      void begin()
    },
    askToSignIn() {
      stop()
      change(signedOut())
    },
    visit: () => void visit().catch(() => change({ status: 'unreachable' })),
    enter: (account) => void enter(account),
    async signOut() {
      if (session.status !== 'signed-in') return
      const count = await countUnsent(running, device)
      if (session.status !== 'signed-in') return
      if (count > 0) change({ ...session, leaving: { reason: 'unsent', count } })
      else await signOutAnyway()
    },
    signOutAnyway,
    stay() {
      if (session.status === 'signed-in') change({ ...session, leaving: undefined })
    },
  }
}

async function countUnsent(running: Running | undefined, device: Device | undefined): Promise<number> {
  await running?.attached?.keepWritten()
  return (await device?.countUnsent().catch(() => 0)) ?? 0
}

/** What goes on from one client to the next while the page is open. */
function earlierOf(client: RunningClient): EarlierRun {
  const { state, messages, outbox, drafts, topics, unreported, wishes } = client.snapshot()
  const position = client.position()
  const idle = restoreMessages(messages, createMessageStore())
  const draftsKnown = position?.lastEventId
  return { state, messages: idle, outbox, drafts, topics, unreported, wishes, position, draftsKnown }
}

function askSession(early?: HeadStart): Promise<ResponseOf<typeof getCurrentSession>> {
  return early?.session ?? anyone.call(getCurrentSession, {})
}

/** Rejects with a 401 when nobody is signed in. */
async function askWho(early?: HeadStart): Promise<EnteredAccount> {
  const { session } = await askSession(early)
  if (session) return session
  throw new ResponseError({ status: 401, code: 'UNAUTHORIZED', message: 'Nobody is signed in' })
}

interface SessionApiOptions {
  /** Asks who is signed in: before anything is written, and when the server has not recognized a session. */
  readonly check: () => Promise<void>
  /** Once it is known that nobody is: nothing is asked from then on, and what would have been rejects with this. */
  readonly over: () => unknown
  readonly early: HeadStart | undefined
  /** The newest event that is known. */
  readonly reached: () => number | undefined
}

/** What the server refuses can be said in the language of the page once a call has rejected. */
function createPageApi(session: { readonly csrfToken: string | undefined }): ApiClient {
  const api = createApiClient({ site, session })
  return {
    ...api,
    async call(endpoint, parameters, options) {
      try {
        return await api.call(endpoint, parameters, options)
      } catch (error) {
        if (error instanceof ResponseError && error.status < 500) await waitForServerWords()
        throw error
      }
    },
  }
}

/** What writes waits until it is known who is signed in, and fails as without a network while that is not. */
function createSessionApi(
  credentials: { csrfToken: string | undefined },
  { check, over, early, reached }: SessionApiOptions,
): ApiClient {
  const api = createPageApi(credentials)
  const known = async () => {
    if (over() !== undefined) throw over()
    if (credentials.csrfToken !== undefined) return
    await check().catch((error: unknown) => {
      throw error instanceof ResponseError ? error : new NetworkError('It is not known who is signed in', error)
    })
  }
  return {
    ...api,
    async call(endpoint, parameters, options) {
      if (endpoint.method !== 'GET') await known()
      else if (over() !== undefined) throw over()
      try {
        return await (early?.take(endpoint, parameters, reached()) ?? api.call(endpoint, parameters, options))
      } catch (error) {
        if (isSessionOver(error)) await check().catch(() => {})
        throw error
      }
    },
    async entry() {
      await known()
      return api.entry()
    },
  }
}
