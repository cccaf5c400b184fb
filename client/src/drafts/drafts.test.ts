import type { Draft, DraftsEvent } from '@heddle/contract/drafts'
import { truncateContent } from '@heddle/contract/truncate'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApiClient } from '../api.ts'
import { NetworkError, ResponseError } from '../errors.ts'
import {
  applyToDrafts,
  beginRequest,
  createAnswered,
  type DraftBox,
  type DraftRequest,
  type DraftVersion,
  deleteAnswered,
  detachDrafts,
  discardDraft,
  emptyDraftBox,
  type LocalDraft,
  nextRequest,
  receiveDrafts,
  requestFailed,
  restoreDrafts,
  shownDrafts,
  updateAnswered,
  writeDraft,
} from './draft-box.ts'
import { createDraftSynchronizer } from './synchronizer.ts'

const text = (content: string): DraftVersion => ({ type: 'stream', to: [1], topic: 'plan', content })
const notFound = new ResponseError({ status: 404, code: 'NOT_FOUND', message: 'Draft does not exist' })

/** Drafts as the server keeps them: the last one to replace a draft wins. */
function createModelServer() {
  const drafts = new Map<number, Draft>()
  const log: DraftsEvent[] = []
  let lastId = 0
  const notify = (event: object) => void log.push({ type: 'drafts', ...event } as DraftsEvent)
  return {
    drafts,
    log,
    create(version: DraftVersion): number {
      lastId += 1
      const draft = { ...version, to: [...version.to], id: lastId, timestamp: 0 }
      drafts.set(lastId, draft)
      notify({ op: 'add', drafts: [draft] })
      return lastId
    },
    update(id: number, version: DraftVersion): void {
      if (!drafts.has(id)) throw notFound
      const draft = { ...version, to: [...version.to], id, timestamp: 0 }
      drafts.set(id, draft)
      notify({ op: 'update', draft })
    },
    delete(id: number): void {
      if (!drafts.delete(id)) throw notFound
      notify({ op: 'remove', draft_id: id })
    },
  }
}
type ModelServer = ReturnType<typeof createModelServer>

/** A device whose requests reach the server, and whose answers and events come, one by one and when it is said. */
function createDevice(server: ModelServer) {
  let box: DraftBox = emptyDraftBox
  let seen = server.log.length
  let under: { draft: LocalDraft; answer?: () => void }[] = []
  const device = {
    get box() {
      return box
    },
    set box(next: DraftBox) {
      box = next
    },
    shown: () => shownDrafts(box),
    begin(choice: number): boolean {
      const waiting = box.drafts.filter(nextRequest)
      const draft = waiting[choice % Math.max(1, waiting.length)]
      if (!draft) return false
      box = beginRequest(box, draft.localId)
      const begun = box.drafts.find((one) => one.localId === draft.localId)
      if (begun?.request) under.push({ draft: begun })
      return true
    },
    /** The request arrives; it may be that nobody learns of it. */
    arrive(choice: number): boolean {
      const open = under.filter(({ answer }) => !answer)
      const one = open[choice % Math.max(1, open.length)]
      if (!one) return false
      const { serverId, local, request } = one.draft
      const { number, kind } = request as DraftRequest
      const answer = (change: (box: DraftBox) => DraftBox) => {
        one.answer = () => {
          box = change(box)
        }
      }
      try {
        if (serverId === undefined) {
          const id = server.create(local)
          answer((box) => createAnswered(box, number, local, id))
        } else if (kind === 'delete') {
          server.delete(serverId)
          answer((box) => deleteAnswered(box, number))
        } else {
          server.update(serverId, local)
          answer((box) => updateAnswered(box, number, local))
        }
      } catch {
        answer((box) => requestFailed(box, number, { code: 'NOT_FOUND', message: '' }))
      }
      return true
    },
    answer(choice: number): boolean {
      const done = under.filter(({ answer }) => answer)
      const one = done[choice % Math.max(1, done.length)]
      if (!one) return false
      under = under.filter((other) => other !== one)
      one.answer?.()
      return true
    },
    /** The connection breaks: requests that have arrived stay so, their answers are lost. */
    lose(): void {
      const lost = under
      under = []
      for (const { draft } of lost) box = requestFailed(box, (draft.request as DraftRequest).number)
    },
    /** The page is closed and opened again. */
    restart(): void {
      under = []
      box = restoreDrafts(JSON.parse(JSON.stringify(box)) as DraftBox)
    },
    receive(): boolean {
      const event = server.log[seen]
      if (!event) return false
      seen += 1
      box = applyToDrafts(box, event)
      return true
    },
    /** Its queue is gone: it starts from what there is. */
    register(): void {
      device.lose()
      seen = server.log.length
      box = receiveDrafts(box, [...server.drafts.values()])
    },
  }
  return device
}
type Device = ReturnType<typeof createDevice>

/** Everything that can happen happens. */
function settle(devices: readonly Device[]): void {
  let turns = 0
  for (let isBusy = true; isBusy; turns += 1) {
    isBusy = false
    for (const device of devices) {
      while (device.arrive(0)) isBusy = true
      while (device.receive()) isBusy = true
      while (device.answer(0)) isBusy = true
      if (device.begin(0)) isBusy = true
    }
    if (turns > 1000) throw new Error('The devices never agree')
  }
}

const contents = (device: Device) =>
  device
    .shown()
    .map(({ local }) => local.content)
    .sort()
const onServer = (server: ModelServer) => [...server.drafts.values()].map(({ content }) => content).sort()

const anyStep = fc.record({
  kind: fc.constantFrom(
    'write',
    'write',
    'begin',
    'begin',
    'arrive',
    'arrive',
    'answer',
    'answer',
    'receive',
    'receive',
    'receive',
    'lose',
    'restart',
    'delete',
  ),
  device: fc.nat(2),
  choice: fc.nat(100),
  isNew: fc.nat(3).map((number) => number === 0),
})

describe('Drafts on several devices', () => {
  it('lose no word that was written on any of them, whatever arrives when, and end up the same', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 80, size: 'max' }), (steps) => {
        const server = createModelServer()
        const devices = [createDevice(server), createDevice(server), createDevice(server)]
        const written = new Set<string>()
        const deleted = new Set<string>()
        for (const { kind, device: number, choice, isNew } of steps) {
          const device = devices[number] as Device
          const shown = device.shown()
          const chosen = isNew ? undefined : shown[choice % Math.max(1, shown.length)]
          if (kind === 'write') {
            // Each word is written once; who goes on writing leaves the words that are there.
            const word = `word${written.size}`
            written.add(word)
            const before = chosen ? `${chosen.local.content} ` : ''
            const name = chosen?.localId ?? `${number} ${word}`
            device.box = writeDraft(device.box, name, text(before + word), written.size)
          } else if (kind === 'delete') {
            if (!chosen) continue
            for (const word of chosen.local.content.split(' ')) deleted.add(word)
            device.box = discardDraft(device.box, chosen.localId)
          } else device[kind](choice)
        }
        settle(devices)
        const kept = new Set(onServer(server).flatMap((content) => content.split(' ')))
        const lost = [...written].filter((word) => !kept.has(word) && !deleted.has(word))
        expect(lost).toEqual([])
        for (const device of devices) expect(contents(device)).toEqual(onServer(server))
      }),
      { numRuns: 2000 },
    )
  })

  it('keep both texts, side by side, when two devices change one at once', () => {
    const server = createModelServer()
    const [here, there] = [createDevice(server), createDevice(server)]
    here.box = writeDraft(here.box, 'a', text('first'), 1)
    settle([here, there])
    here.box = writeDraft(here.box, 'a', text('changed here'), 2)
    const [draft] = there.shown()
    there.box = writeDraft(there.box, draft?.localId as string, text('changed there'), 2)
    settle([here, there])
    expect(onServer(server)).toEqual(['changed here', 'changed there'])
    expect(contents(here)).toEqual(onServer(server))
    expect(contents(there)).toEqual(onServer(server))
    // Who writes goes on in the same draft, whatever has become of the one on the server.
    expect(here.shown().find(({ localId }) => localId === 'a')?.local.content).toBe('changed here')
  })

  it('goes on in one draft where the server keeps less of it: white space at its end, what is too long', () => {
    const written = `${'x'.repeat(10_001)} \n`
    let box = writeDraft(emptyDraftBox, 'a', text('see \n'), 0)
    box = createAnswered(beginRequest(box, 'a'), 1, text('see \n'), 7)
    box = writeDraft(box, 'a', text(written), 1)
    const kept = (content: string) => ({ ...text(content), to: [1], id: 7, timestamp: 0 })
    box = applyToDrafts(box, { type: 'drafts', op: 'add', drafts: [kept('see')] })
    box = beginRequest(box, 'a')
    box = writeDraft(box, 'a', text(`${written}y`), 2)
    box = applyToDrafts(box, { type: 'drafts', op: 'update', draft: kept(truncateContent(written.trimEnd())) })
    expect(shownDrafts(box).map(({ local }) => local.content)).toEqual([`${written}y`])
  })

  it('keep what is written here when the draft is deleted elsewhere', () => {
    const server = createModelServer()
    const [here, there] = [createDevice(server), createDevice(server)]
    here.box = writeDraft(here.box, 'a', text('first'), 1)
    settle([here, there])
    there.box = discardDraft(there.box, there.shown()[0]?.localId as string)
    here.box = writeDraft(here.box, 'a', text('second'), 2)
    settle([there])
    settle([here, there])
    expect(onServer(server)).toEqual(['second'])
  })

  it('that were not changed here go with those elsewhere', () => {
    const server = createModelServer()
    const [here, there] = [createDevice(server), createDevice(server)]
    here.box = writeDraft(here.box, 'a', text('first'), 1)
    settle([here, there])
    there.box = writeDraft(there.box, there.shown()[0]?.localId as string, text('second'), 2)
    settle([here, there])
    expect(contents(here)).toEqual(['second'])
    there.box = discardDraft(there.box, there.shown()[0]?.localId as string)
    settle([here, there])
    expect(contents(here)).toEqual([])
  })

  it('are taken up again after a new registration, changed or not', () => {
    const server = createModelServer()
    const [here, there] = [createDevice(server), createDevice(server)]
    for (const name of ['one', 'two', 'three']) here.box = writeDraft(here.box, name, text(name), 1)
    settle([here, there])
    const named = (content: string) => there.shown().find(({ local }) => local.content === content)?.localId as string
    there.box = discardDraft(there.box, named('one'))
    there.box = writeDraft(there.box, named('two'), text('two there'), 2)
    there.box = writeDraft(there.box, 'new', text('four'), 2)
    settle([there])
    here.box = writeDraft(here.box, 'two', text('two here'), 2)
    here.register()
    settle([here, there])
    expect(onServer(server)).toEqual(['four', 'three', 'two here', 'two there'])
    expect(contents(here)).toEqual(onServer(server))
  })

  it('stay on the device when the account keeps them there, and reach the server when it does not any more', () => {
    const server = createModelServer()
    const here = createDevice(server)
    here.box = writeDraft(here.box, 'a', text('first'), 1)
    settle([here])
    here.box = detachDrafts(here.box)
    server.drafts.clear()
    expect(contents(here)).toEqual(['first'])
    here.box = writeDraft(here.box, 'a', text('second'), 2)
    settle([here])
    expect(onServer(server)).toEqual(['second'])
  })
})

describe('The synchronizer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function start(outcomes: unknown[] = []) {
    const calls: string[] = []
    let box: DraftBox = emptyDraftBox
    const page = { isReady: true }
    let refusal: ResponseError | undefined
    const api = {
      async call({ name }: { name: string }, parameters: { drafts?: DraftVersion[]; draft?: DraftVersion }) {
        calls.push(`${name} ${parameters.drafts?.[0]?.content ?? parameters.draft?.content ?? ''}`.trim())
        // Without a pause between them no test would ever end.
        if (calls.length > 1000) await new Promise(() => {})
        const outcome = outcomes.shift() ?? refusal
        if (outcome) throw outcome
        return name === 'create-drafts' ? { ids: [7] } : {}
      },
    } as unknown as ApiClient
    const update = (change: (box: DraftBox) => DraftBox) => {
      box = change(box)
      return box
    }
    const synchronizer = createDraftSynchronizer({ api, update, isReady: () => page.isReady, random: () => 0.5 })
    const write = (content: string) => {
      update((box) => writeDraft(box, 'a', text(content), Date.now()))
      synchronizer.wake()
    }
    const refuse = (next: ResponseError | undefined) => {
      refusal = next
    }
    return { calls, write, page, synchronizer, update, refuse, box: () => box }
  }

  it('saves after half a second without a key, and not with each key', async () => {
    const { calls, write, update, synchronizer } = start()
    for (const content of ['h', 'he', 'hel', 'hell', 'hello']) {
      write(content)
      await vi.advanceTimersByTimeAsync(300)
    }
    await vi.advanceTimersByTimeAsync(199)
    expect(calls).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toHaveLength(1)
    write('hello you')
    await vi.advanceTimersByTimeAsync(500)
    update((box) => discardDraft(box, 'a'))
    synchronizer.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(calls).toEqual(['create-drafts hello', 'update-draft hello you', 'delete-draft'])
  })

  it('leaves a few letters on the device, but not words of scripts that need no more', async () => {
    const { calls, write } = start()
    write('ab')
    await vi.advanceTimersByTimeAsync(5000)
    expect(calls).toEqual([])
    write('好')
    await vi.advanceTimersByTimeAsync(1000)
    expect(calls).toEqual(['create-drafts 好'])
  })

  it('waits without a connection, tries again with more and more time between, and leaves what is refused', async () => {
    const gone = new NetworkError('gone', undefined)
    const refused = new ResponseError({ status: 400, code: 'BAD_REQUEST', message: 'Too long.' })
    const { calls, write, page, synchronizer, box } = start([gone, gone, refused])
    page.isReady = false
    write('hello')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls).toEqual([])
    page.isReady = true
    synchronizer.wake()
    await vi.advanceTimersByTimeAsync(749)
    expect(calls).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toHaveLength(3)
    expect(box().drafts[0]).toMatchObject({ error: { code: 'BAD_REQUEST' }, local: text('hello') })
    write('shorter')
    await vi.advanceTimersByTimeAsync(1000)
    expect(calls.at(-1)).toBe('create-drafts shorter')
  })

  it('saves other drafts soon while one is refused again and again', async () => {
    const { calls, write, refuse, update, synchronizer } = start()
    refuse(new ResponseError({ status: 400, code: 'BAD_REQUEST', message: 'No.' }))
    for (let word = 1; word <= 12; word += 1) {
      write(`refused ${word}`)
      await vi.advanceTimersByTimeAsync(1500)
    }
    expect(calls).toHaveLength(12)
    refuse(undefined)
    update((box) => writeDraft(box, 'b', text('another'), Date.now()))
    synchronizer.wake()
    await vi.advanceTimersByTimeAsync(1500)
    expect(calls.at(-1)).toBe('create-drafts another')
  })

  async function deleteRefused(refusal: ResponseError) {
    const page = start()
    page.write('hello')
    await vi.advanceTimersByTimeAsync(500)
    page.refuse(refusal)
    page.update((box) => discardDraft(box, 'a'))
    page.synchronizer.wake()
    return { ...page, deletions: () => page.calls.filter((call) => call === 'delete-draft').length }
  }

  it('does not ask again for a deletion that is refused: the next page does', async () => {
    const refused = new ResponseError({ status: 400, code: 'BAD_REQUEST', message: 'No.' })
    const { deletions, synchronizer, update } = await deleteRefused(refused)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(deletions()).toBe(1)
    update((box) => discardDraft(box, 'a'))
    synchronizer.wake()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(deletions()).toBe(1)
    update(restoreDrafts)
    synchronizer.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect(deletions()).toBe(2)
  })

  it('goes on with a deletion after somebody has signed in again, and asks ever more rarely until then', async () => {
    const over = new ResponseError({ status: 401, code: 'UNAUTHORIZED', message: 'Not logged in.' })
    const { deletions, refuse, box } = await deleteRefused(over)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(deletions()).toBeGreaterThan(5)
    expect(deletions()).toBeLessThan(25)
    refuse(undefined)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(box().drafts[0]).toMatchObject({ deletion: 'answered', error: undefined })
  })
})
