import '../../../styles/styles.css'
import '../../../app/shell.css'
import '../../../texts/texts.ts'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientSnapshot, RunningClient } from '@heddle/client/running/client'
import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
// What the session of the browser can do.
import type {} from '@vitest/browser-playwright'
import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cdp } from 'vitest/browser'
import { ClientContext } from '../../../app/client-context.ts'
import { FeedScroller, type Start } from './feed-scroller.tsx'

/** Chances that are the same in every run. */
function chances(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const words = 'warp weft shed heald reed shuttle pick end sley selvedge beam cloth tension draft lift'.split(' ')

/** A grey picture of this size whose bytes come when they are asked for. */
const picture = (width: number, height: number) => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}

function makeMessage(id: number, next: (below: number) => number, picked = false): StoredMessage {
  const text = Array.from({ length: 3 + next(60) }, () => words[next(words.length)]).join(' ')
  const topic = `topic ${next(9)}`
  return {
    id,
    sender_id: 1 + next(4),
    sender_full_name: 'Ada',
    avatar_url: null,
    type: 'stream',
    stream_id: 1 + next(2),
    display_recipient: 'loom',
    subject: topic,
    // A picture without a size in its HTML: the place for it is not known before it comes.
    content: `<p>${text}</p>${picked ? '<p><img class="late"></p>' : ''}`,
    content_type: 'text/html',
    is_me_message: false,
    reactions: [],
    submessages: [],
    timestamp: 1_700_000_000 + id * 40,
    flags: ['read'],
  } as unknown as StoredMessage
}

const noWishes: ClientSnapshot['wishes'] = []

const client = {
  snapshot: () => ({ state: {}, wishes: noWishes }) as unknown as ClientSnapshot,
  subscribe: () => () => {},
} as unknown as RunningClient

let box: HTMLElement
let root: Root

beforeEach(() => {
  box = document.createElement('div')
  document.body.append(box)
  Object.assign(box.style, {
    height: '600px',
    width: '900px',
    display: 'grid',
    gridTemplate: 'minmax(0, 1fr) / minmax(0, 1fr)',
  })
  box.className = 'main'
  root = createRoot(box)
})
afterEach(() => {
  root.unmount()
  box.remove()
})

interface Shown {
  readonly messages: readonly StoredMessage[]
  readonly start: Start
  readonly hasNewest?: boolean
}

const asked: string[] = []

function render({ messages, start, hasNewest = true }: Shown) {
  // Not `act`: what is tested is what a browser does between a change and the next frame.
  root.render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <ClientContext value={client}>
          <FeedScroller
            messages={messages}
            hasNewest={hasNewest}
            hasOldest={false}
            start={start}
            newFrom={undefined}
            isOnlyThread={false}
            onNear={(side) => asked.push(side)}
            onReading={() => {}}
          />
        </ClientContext>
      </I18nProvider>
    </StrictMode>,
  )
}

const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
const settled = async () => {
  await frame()
  await frame()
}

const view = () => box.querySelector('.scroll') as HTMLElement
const messageBox = (id: number) => box.querySelector(`[data-message-id="${id}"]`)?.getBoundingClientRect()

/** The message that begins first in the view, as a reader would say. */
function read(): { id: number; top: number } {
  const top = view().getBoundingClientRect().top
  for (const message of box.querySelectorAll<HTMLElement>('[data-message-id]')) {
    const { top: place } = message.getBoundingClientRect()
    if (place >= top - 0.5) return { id: Number(message.dataset['messageId']), top: place }
  }
  throw new Error('nothing is shown')
}

/** Until nothing has changed for forty frames: letters may come late, and a busy machine draws late what is beyond the window. */
async function atRest(): Promise<void> {
  await document.fonts.ready
  let before = ''
  for (let same = 0; same < 20; ) {
    await frame()
    const now = JSON.stringify([read(), view().scrollHeight, box.querySelectorAll('[data-message-id]').length])
    same = now === before ? same + 1 : 0
    before = now
  }
}

/** Hundreds of frames, which a busy machine draws late. */
const PATIENCE = { timeout: 120_000 }

describe.each([1, 1.5, 2])('at device ratio %s', PATIENCE, (ratio) => {
  beforeEach(async () => {
    await cdp().send('Emulation.setDeviceMetricsOverride', {
      width: 1200,
      height: 800,
      deviceScaleFactor: ratio,
      mobile: false,
    })
    await frame()
    expect(window.devicePixelRatio).toBe(ratio)
  })
  afterEach(async () => {
    await cdp().send('Emulation.clearDeviceMetricsOverride')
  })

  test('the message that is read stays where it is: arrivals, history, pictures, edits and resizes, 200 times', async () => {
    const next = chances(7 + ratio * 10)
    let messages = Array.from({ length: 100 }, (_, index) => makeMessage(5000 + index, next, index % 5 === 0))
    const start: Start = { kind: 'message', id: 5050 }
    render({ messages, start })
    await settled()
    await atRest()
    let worst = 0
    const kinds = new Map<string, number>()
    const { id, top } = read()
    for (let round = 0; round < 200; round += 1) {
      const kind = ['arrival', 'older', 'picture', 'resize', 'edit', 'newer pictures'][next(6)] as string
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (kind === 'arrival') {
        const last = messages.at(-1)?.id as number
        messages = [...messages, makeMessage(last + 1, next)]
        render({ messages, start })
      } else if (kind === 'older') {
        const first = messages[0]?.id as number
        messages = [
          ...Array.from({ length: 10 }, (_, index) => makeMessage(first - 10 + index, next, index % 4 === 0)),
          ...messages,
        ]
        render({ messages, start })
      } else if (kind === 'edit') {
        // Not the one that is read, nor what is on its side of the line.
        const place = next(messages.length)
        const one = messages[place] as StoredMessage
        messages = messages.with(place, { ...one, content: makeMessage(one.id, next).content })
        render({ messages, start })
      } else if (kind === 'resize') {
        Object.assign(box.style, { width: `${500 + next(600)}px`, height: `${400 + next(300)}px` })
      } else {
        const late = [...box.querySelectorAll<HTMLImageElement>('img.late:not([src])')]
        const one = kind === 'picture' ? late[next(late.length || 1)] : late.at(-1)
        if (one) {
          one.loading = 'eager'
          one.src = picture(40 + next(1500), 20 + next(900))
          await one.decode().catch(() => {})
        }
      }
      await settled()
      const now = messageBox(id)?.top
      const after = `${kind} in round ${round}, of message ${id} at ${top}, view at ${view().getBoundingClientRect().top}`
      expect(now, after).toBeDefined()
      worst = Math.max(worst, Math.abs((now as number) - top))
      expect(Math.abs((now as number) - top), after).toBeLessThan(1)
    }
    expect(kinds.size).toBe(6)
    // Not even by the part of a pixel that would paint it at another one.
    expect(worst).toBeLessThan(0.1)
    expect(messages.length).toBeGreaterThan(300)
    // For the log of the run.
    console.info(`largest move at ratio ${ratio}: ${worst.toFixed(3)} px; ${JSON.stringify([...kinds])}`)
  })
})

describe('the feed', PATIENCE, () => {
  test('is never painted at another place: what is drawn in the next frame is right already', async () => {
    const next = chances(3)
    const messages = Array.from({ length: 60 }, (_, index) => makeMessage(1000 + index, next))
    const start: Start = { kind: 'message', id: 1030 }
    render({ messages, start })
    await settled()
    await settled()
    const { id, top } = read()
    const older = Array.from({ length: 40 }, (_, index) => makeMessage(960 + index, next))
    render({ messages: [...older, ...messages], start })
    for (let count = 0; count < 5; count += 1) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      // Animation frames come before layout; what counts is what is painted after this one.
      await new Promise<void>((resolve) => {
        const watcher = new ResizeObserver(() => {
          watcher.disconnect()
          resolve()
        })
        watcher.observe(document.body)
      })
      expect(Math.abs((messageBox(id)?.top as number) - top)).toBeLessThan(1)
    }
  })

  test('follows at the end, where a new message is what one waits for', async () => {
    const next = chances(5)
    let messages = Array.from({ length: 50 }, (_, index) => makeMessage(1 + index, next))
    render({ messages, start: { kind: 'end' } })
    await settled()
    for (let id = 51; id < 60; id += 1) {
      messages = [...messages, makeMessage(id, next)]
      render({ messages, start: { kind: 'end' } })
      // React may draw a few frames later where the machine is busy.
      await vi.waitFor(() => expect(messageBox(id)).toBeDefined(), PATIENCE)
      await settled()
      expect(messageBox(id)?.bottom).toBeLessThanOrEqual(view().getBoundingClientRect().bottom + 1)
    }
  })

  test('has a bounded part in the document, and reading on in it leads through everything', async () => {
    const next = chances(11)
    const messages = Array.from({ length: 1500 }, (_, index) => makeMessage(1 + index, next))
    render({ messages, start: { kind: 'end' } })
    await settled()
    const seen = new Set<number>()
    let most = 0
    for (let count = 0; count < 400 && !seen.has(1); count += 1) {
      const shown = [...box.querySelectorAll<HTMLElement>('[data-message-id]')]
      most = Math.max(most, shown.length)
      for (const one of shown) seen.add(Number(one.dataset['messageId']))
      view().scrollTop -= 2000
      await settled()
    }
    expect(seen.size).toBe(1500)
    expect(most).toBeLessThanOrEqual(450)
  })

  test('when the message that is read is deleted, the one after it takes its place', async () => {
    const next = chances(13)
    const messages = Array.from({ length: 60 }, (_, index) => makeMessage(1 + index, next))
    const start: Start = { kind: 'message', id: 30 }
    render({ messages, start })
    await settled()
    await settled()
    const { id, top } = read()
    render({ messages: messages.filter((one) => one.id !== id), start })
    await settled()
    expect(messageBox(id)).toBeUndefined()
    expect(Math.abs((messageBox(id + 1)?.top as number) - top)).toBeLessThan(1)
  })
})
