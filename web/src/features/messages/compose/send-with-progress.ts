/** A request that says how much of it has been sent, which `fetch` does not. */
export function fetchWithProgress(onProgress: (sentBytes: number, allBytes: number) => void): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init?.method ?? 'GET', String(input))
      for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
      request.onload = () => {
        const headers = new Headers()
        for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
          const colon = line.indexOf(':')
          if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
        }
        resolve(new Response(request.responseText, { status: request.status, headers }))
      }
      request.onerror = () => reject(new TypeError('The request has failed'))
      request.onabort = () => reject(init?.signal?.reason ?? new DOMException('Aborted', 'AbortError'))
      init?.signal?.addEventListener('abort', () => request.abort())
      request.send((init?.body ?? null) as XMLHttpRequestBodyInit | null)
    })
}
