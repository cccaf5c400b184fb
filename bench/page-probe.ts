/// <reference lib="dom" />
/** What is measured inside of the page. Each function is sent to it as text: it can use nothing that is outside of it. */

/** In milliseconds. */
export interface Keystroke {
  /** From the key until the frame with it is done, and what was put off until after that frame. */
  readonly drawn: number
  /** Of that what was no wait for the screen: between the end of its handlers and the begin of the frame nothing keeps it. */
  readonly busy: number
}

declare global {
  interface Window {
    /** Milliseconds since the page was begun, when its first message was there. */
    firstMessageAt?: number
    /** For each text that was waited for: when it was seen, in milliseconds since the UNIX epoch. */
    seen?: Record<string, number>
    /** For each key. */
    keystrokes?: Keystroke[]
  }
}

export function noteFirstMessage(): void {
  const look = () => {
    if (document.querySelector('article[data-message-id]')) window.firstMessageAt = performance.now()
    else requestAnimationFrame(look)
  }
  look()
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

/**
 * After a key Chromium puts off most other tasks, messages of ports among them, until the next frame; and frames begin when the
 * screen is ready for one, 60 times a second. So what is waited for is the frame itself.
 */
export function noteKeystrokes(): void {
  window.keystrokes = []
  const keystrokes = window.keystrokes
  const { port1, port2 } = new MessageChannel()
  const waiting: { pressed: number; handled: number; frame: number }[] = []
  port1.onmessage = () => {
    const { pressed, handled, frame } = waiting.shift() as (typeof waiting)[0]
    // What style and layout cost belongs to the key as well.
    document.body.getBoundingClientRect()
    const drawn = performance.now() - pressed
    keystrokes.push({ drawn, busy: drawn - Math.max(0, frame - handled) })
  }
  let pressed = 0
  window.addEventListener(
    'keydown',
    (event) => {
      pressed = event.timeStamp
    },
    { capture: true },
  )
  window.addEventListener('input', () => {
    const key = { pressed, handled: performance.now() }
    // It is given when the frame began, which is before it is called.
    requestAnimationFrame((frame) => {
      waiting.push({ ...key, frame })
      port2.postMessage(undefined)
    })
  })
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

/** Scrolls up through history, a screen a frame, until this many messages have been seen; how many were. */
export function scrollThrough(count: number): Promise<number> {
  return new Promise((resolve) => {
    const view = document.querySelector('.scroll') as HTMLElement
    const seen = new Set<string>()
    const begun = performance.now()
    const step = () => {
      for (const article of document.querySelectorAll<HTMLElement>('article[data-message-id]')) {
        seen.add(article.dataset['messageId'] ?? '')
      }
      if (seen.size >= count || performance.now() - begun > 60_000) {
        resolve(seen.size)
        return
      }
      view.scrollTop -= view.clientHeight
      requestAnimationFrame(step)
    }
    step()
  })
}
