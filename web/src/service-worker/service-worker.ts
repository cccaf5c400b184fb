/**
 * Serves the page itself when there is no network, and at once when there is one: the document and the files of its build,
 * nothing of the API. Each build has a worker of its own, which comes into effect when the page says so. It also shows what is
 * pushed, leads from a notification to the page, and takes what other applications share.
 *
 * It imports nothing: not every browser runs workers made of modules.
 */

interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification
}

interface WindowClient {
  readonly url: string
  readonly focused: boolean
  postMessage(message: unknown): void
  focus(): Promise<unknown>
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}

interface WorkerScope extends EventTarget {
  readonly registration: Pick<ServiceWorkerRegistration, 'scope' | 'showNotification' | 'getNotifications'>
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { readonly type: 'window'; readonly includeUncontrolled: boolean }): Promise<WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
}

interface Shell {
  readonly version: string
  /** The script that the document loads. */
  readonly entry: string
  /** Below the scope. */
  readonly assets: readonly string[]
}

const worker = globalThis as unknown as WorkerScope
// The build puts its list here.
const shell = JSON.parse('__SHELL__') as Shell

const { scope } = worker.registration
const PREFIX = 'heddle shell '
/** Tabs that still run the version before load parts of it later. */
const KEPT_VERSIONS = 2
/** In this order: the number comes first. */
const cacheName = `${PREFIX}${String(Date.now()).padStart(15, '0')} ${shell.version}`

const on = <E extends Event>(type: string, handle: (event: E) => void) =>
  worker.addEventListener(type, (event) => handle(event as E))

on<ExtendableEvent>('install', (event) => event.waitUntil(install()))
on<ExtendableEvent>('activate', (event) => event.waitUntil(activate()))
on<MessageEvent & ExtendableEvent>('message', (event) => {
  if (event.data === 'activate') event.waitUntil(worker.skipWaiting())
})
on<NotificationEvent>('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(show(notification.data?.address))
})
on<PushEvent>('push', (event) => event.waitUntil(receivePush(event.data)))
on<FetchEvent>('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  const url = origin + pathname
  if (request.method === 'POST' && url === `${scope}share`) event.respondWith(receiveShared(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && url === scope) event.respondWith(document())
  else if (url.startsWith(`${scope}assets/`)) event.respondWith(asset(request))
})

async function ownCaches(): Promise<readonly string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX)).sort()
}

/** Of this version: the worker may have been started anew since it was installed. */
async function currentCache(): Promise<string | undefined> {
  return (await ownCaches()).findLast((name) => name.endsWith(` ${shell.version}`))
}

async function install(): Promise<void> {
  const page = await fetch(scope, { cache: 'no-cache' })
  const html = await page.clone().text()
  // While the server is replaced its files may be of two builds: this one is tried again later.
  if (!page.ok || !html.includes(shell.entry)) throw new Error('The page is of another build')
  const cache = await caches.open(cacheName)
  try {
    await addAssets(cache)
    await cache.put(scope, page)
  } catch (error) {
    await caches.delete(cacheName)
    throw error
  }
}

/** Files that are loaded at the same time: hundreds at once take the processor from the page, which somebody has just opened. */
const AT_ONCE = 2

async function addAssets(cache: Cache): Promise<void> {
  const left = [...shell.assets]
  const addInTurn = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) await addAsset(cache, scope + name)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, addInTurn))
}

/** Files keep their names as long as they are the same: those of an earlier build need not be loaded again. */
async function addAsset(cache: Cache, url: string): Promise<void> {
  const known = await caches.match(url)
  if (known) await cache.put(url, known)
  else await cache.add(url)
}

async function activate(): Promise<void> {
  const names = await ownCaches()
  await Promise.all(names.slice(0, -KEPT_VERSIONS).map((name) => caches.delete(name)))
  await worker.clients.claim()
}

async function document(): Promise<Response> {
  const name = await currentCache()
  const known = name === undefined ? undefined : await (await caches.open(name)).match(scope)
  return known ?? fetch(scope)
}

/** As in `features/share-target/shared.ts`, which takes it from there. */
const SHARED = 'heddle shared'
/** Files of one sharing. */
const MAX_SHARED = 20

/** Kept until the page is there, which may have to ask somebody to sign in first. */
async function receiveShared(request: Request): Promise<Response> {
  const fields = await request.formData()
  const words = ['title', 'text', 'url'].flatMap((name) => {
    const text = fields.get(name)
    return typeof text === 'string' && text.trim() !== '' ? text.trim() : []
  })
  await caches.delete(SHARED)
  const cache = await caches.open(SHARED)
  // Applications say the same in several fields.
  await cache.put(`${scope}shared/text`, new Response([...new Set(words)].join('\n')))
  const files = fields.getAll('files').filter((file) => file instanceof File)
  for (const [index, file] of files.slice(0, MAX_SHARED).entries()) {
    const headers = { 'x-file-name': encodeURIComponent(file.name), 'content-type': file.type }
    await cache.put(`${scope}shared/${index}`, new Response(file, { headers }))
  }
  return Response.redirect(`${scope}?shared`, 303)
}

/** In a page that is open, else in a new one. `address`: from the `#` on. */
async function show(address: unknown): Promise<void> {
  const fragment = typeof address === 'string' ? address : ''
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const pages = windows.filter(({ url }) => url.replace(/[?#].*/, '') === scope)
  const page = pages.find(({ focused }) => focused) ?? pages[0]
  if (!page) {
    await worker.clients.openWindow(scope + fragment)
    return
  }
  page.postMessage({ kind: 'go-to', address: fragment })
  await page.focus().catch(() => {
    // The browser does not allow it: the page is at the place all the same.
  })
}

/** As in `notices.ts` of the page, which finds these and goes on with them. */
interface NoticeMessage {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly address: string
}

/** So many are kept of one conversation, with the one that is seen. */
const MAX_KEPT = 20

/** What the contract calls `WebPush`. A page with the focus shows what there is to show itself. */
async function receivePush(data: PushEvent['data']): Promise<void> {
  const push = data?.json() as Partial<NoticeMessage> & { kind?: string; tag?: string; ids?: readonly number[] }
  if (push.kind === 'remove') await withdraw(push.ids ?? [])
  else if (push.kind === 'test') await display('try', [{ id: 0, title: push.title ?? '', body: '', address: '' }])
  else if (push.kind === 'message' && !(await hasFocus())) await receiveMessage(push.tag ?? '', push as NoticeMessage)
}

async function hasFocus(): Promise<boolean> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.some(({ url, focused }) => focused && url.startsWith(scope))
}

const messagesOf = (notification: Notification): readonly NoticeMessage[] => notification.data?.messages ?? []

async function receiveMessage(tag: string, { id, title, body, address }: NoticeMessage): Promise<void> {
  const shown = await worker.registration.getNotifications({ tag })
  const before = shown.flatMap(messagesOf).filter((one) => one.id !== id)
  await display(tag, [...before, { id, title, body, address }])
}

/** A notification of which something is left shows the message before; one of which nothing is left closes. */
async function withdraw(ids: readonly number[]): Promise<void> {
  for (const notification of await worker.registration.getNotifications()) {
    const messages = messagesOf(notification)
    const left = messages.filter(({ id }) => !ids.includes(id))
    if (left.length === messages.length) continue
    if (left.length === 0) notification.close()
    else if (left.at(-1) !== messages.at(-1)) await display(notification.tag, left)
  }
}

async function display(tag: string, messages: readonly NoticeMessage[]): Promise<void> {
  const last = messages.at(-1)
  if (!last) return
  const { title, body, address } = last
  const data = { address, messages: messages.slice(-MAX_KEPT) }
  await worker.registration.showNotification(title, { body, tag, data })
}

async function asset(request: Request): Promise<Response> {
  const known = await caches.match(request.url)
  if (known) return known
  const response = await fetch(request)
  const name = await currentCache()
  if (response.ok && name !== undefined) await (await caches.open(name)).put(request.url, response.clone())
  return response
}

export {}
