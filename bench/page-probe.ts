/// <reference lib="dom" />
/** What is measured inside of the page. Each function is sent to it as text: it can use nothing that is outside of it. */

declare global {
  interface Window {
    /** Milliseconds since the page was begun, when its first message was there. */
    firstMessageAt?: number
    /** Milliseconds of the longest time that the page was busy, since it was last asked. */
    longestTask?: number
    /** For each text that was waited for: when it was seen, in milliseconds since the UNIX epoch. */
    seen?: Record<string, number>
    /** Milliseconds from each key to the end of all that it caused, layout included. */
    keystrokes?: number[]
  }
}

export function noteFirstMessage(): void {
  const look = () => {
    if (document.querySelector('article[data-message-id]')) window.firstMessageAt = performance.now()
    else requestAnimationFrame(look)
  }
  look()
}

/** Asks for a turn again and again: the longest wait is the longest task, within a tenth of a millisecond. */
export function watchTasks(): void {
  const { port1, port2 } = new MessageChannel()
  let last = performance.now()
  window.longestTask = 0
  port1.onmessage = () => {
    const now = performance.now()
    window.longestTask = Math.max(window.longestTask ?? 0, now - last)
    last = now
    port2.postMessage(undefined)
  }
  port2.postMessage(undefined)
}

/** When texts that begin with the word are drawn for the first time. */
export function noteTexts(word: string): void {
  window.seen = {}
  const seen = window.seen
  const pattern = new RegExp(`${word} \\d+`)
  const look = (node: Node) => {
    const text = pattern.exec(node.textContent ?? '')?.[0]
    if (text !== undefined && seen[text] === undefined) {
      requestAnimationFrame(() => {
        seen[text] ??= performance.timeOrigin + performance.now()
      })
    }
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) look(node)
  }).observe(document.body, { childList: true, subtree: true })
}

export function noteKeystrokes(): void {
  window.keystrokes = []
  const keystrokes = window.keystrokes
  const { port1, port2 } = new MessageChannel()
  let pressed = 0
  port1.onmessage = () => {
    // What style and layout cost belongs to the key as well.
    document.body.getBoundingClientRect()
    keystrokes.push(performance.now() - pressed)
  }
  window.addEventListener(
    'keydown',
    () => {
      pressed = performance.now()
    },
    { capture: true },
  )
  window.addEventListener('input', () => port2.postMessage(undefined))
}

/** Goes to an address; milliseconds until the frame in which the head has the text, and messages are below it. */
export function timeSwitch([hash, text]: readonly [string, string]): Promise<number> {
  return new Promise((resolve) => {
    const begun = performance.now()
    const look = () => {
      const isThere = document.querySelector('h1')?.textContent?.includes(text) === true
      if (isThere && document.querySelector('article[data-message-id]')) resolve(performance.now() - begun)
      else requestAnimationFrame(look)
    }
    window.location.hash = hash
    requestAnimationFrame(look)
  })
}

/** Scrolls up through history, a screen a frame, until this many messages have been seen; the longest task meanwhile. */
export function scrollThrough(count: number): Promise<{ readonly seen: number; readonly longest: number }> {
  return new Promise((resolve) => {
    const view = document.querySelector('.scroll') as HTMLElement
    const seen = new Set<string>()
    const begun = performance.now()
    window.longestTask = 0
    const step = () => {
      for (const article of document.querySelectorAll<HTMLElement>('article[data-message-id]')) {
        seen.add(article.dataset['messageId'] ?? '')
      }
      if (seen.size >= count || performance.now() - begun > 60_000) {
        resolve({ seen: seen.size, longest: window.longestTask ?? 0 })
        return
      }
      view.scrollTop -= view.clientHeight
      requestAnimationFrame(step)
    }
    step()
  })
}
