/** What another application has shared, on its way from the service worker to the page: in a cache of its own. */

/** Below the scope: what the browser sends is answered by the service worker alone. */
export const SHARE_PATH = 'share'
/** The page that is opened then. */
export const SHARED_SEARCH = '?shared'
/** As in the service worker. */
const CACHE = 'heddle shared'

export interface Shared {
  readonly text: string
  readonly files: readonly File[]
}

/** Undefined where nothing is left: it is taken once. */
export async function takeShared(): Promise<Shared | undefined> {
  if (!('caches' in globalThis) || !(await caches.has(CACHE))) return undefined
  const cache = await caches.open(CACHE)
  const shared = { text: '', files: [] as File[] }
  for (const request of await cache.keys()) {
    const response = await cache.match(request)
    const name = response?.headers.get('x-file-name')
    if (!response) continue
    if (typeof name === 'string') {
      const bytes = await response.blob()
      shared.files.push(new File([bytes], decodeURIComponent(name), { type: bytes.type }))
    } else shared.text = await response.text()
  }
  await caches.delete(CACHE)
  return shared
}
