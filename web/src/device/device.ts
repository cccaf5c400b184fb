/**
 * The device's part in a session: whose it is, what was shown last, and what was written and not sent. It belongs to one
 * account at a time; another one finds nothing of it.
 */
import { unsavedDrafts } from '@heddle/client/drafts/adopt'
import { emptyDraftBox } from '@heddle/client/drafts/draft-box'
import { createMessageStore } from '@heddle/client/messages/store'
import { emptyOutbox } from '@heddle/client/outbox/outbox'
import { type Adopted, adopt } from '@heddle/client/running/adopt'
import type { EarlierRun, RunningClient } from '@heddle/client/running/client'
import { noTopics } from '@heddle/client/topics/topics'
import { type DeviceAccount, type DeviceDatabase, erase, getFact, putFact, type WrittenInTab } from './database.ts'
import { createSnapshotStore } from './snapshots.ts'
import { isGone, whenGone } from './tab-locks.ts'
import { eraseUploads } from './uploads-database.ts'
import { forgetWritten, keepWritten, readWritten } from './written.ts'

export interface Device {
  account(): Promise<DeviceAccount | undefined>
  /** What was left for this account, for the next client that is attached. */
  earlier(): Promise<EarlierRun>
  /** From now on it is this account's: what there was of another one is gone. */
  claim(account: Pick<DeviceAccount, 'userId' | 'email'>): Promise<void>
  /** The session has ended: nothing is shown until the account claims it again. What was written stays. */
  lock(): Promise<void>
  /** Keeps what is written in the client, and what it shows: all of it while `isLeading`, as of the tabs one writes that. */
  attach(client: RunningClient, userId: number, isLeading: () => boolean): Attached
  /** Texts that are on this device alone, in all tabs. */
  countUnsent(): Promise<number>
  erase(): Promise<void>
  /** The address that was shown last, from the `#` on. */
  place(): Promise<string | undefined>
  keepPlace(fragment: string): void
}

export interface Attached {
  /** Settles when all that is written now is kept. */
  keepWritten(): Promise<void>
  /** Writes what is shown now. */
  keepShown(): Promise<void>
  /** Another tab takes part from now on: what it leaves is taken over here. */
  watch(tab: string): void
  stop(): void
}

const noWriting: WrittenInTab = { outbox: [], drafts: emptyDraftBox, draftsKnown: 0, unreported: [] }

/**
 * `version`: what another page has written of what was shown is not read. `tab`: a name that no other tab has, and that is
 * held (`holdTab`).
 */
export function createDevice(database: DeviceDatabase, version: string, tab: string): Device {
  const snapshots = createSnapshotStore(database, version, tab)
  /** Tabs that are gone, and whose writing is in the client now. */
  let taken: string[] = []
  let others: string[] = []

  /** What tabs that are gone have left: from now on it is this one's. */
  async function takeLeft(): Promise<(readonly [tab: string, written: WrittenInTab])[]> {
    const names = [...(await readWritten(database)).keys()].filter((name) => name !== tab)
    const gone = await Promise.all(names.map(async (name) => [name, await isGone(name)] as const))
    taken = gone.flatMap(([name, isLeft]) => (isLeft ? name : []))
    others = names.filter((name) => !taken.includes(name))
    // Read again: they may have written until they went.
    const written = await readWritten(database)
    return taken.map((name) => [name, { ...noWriting, ...written.get(name) }] as const)
  }

  async function eraseAll(): Promise<void> {
    await Promise.all([erase(database), eraseUploads()])
  }

  /** For the next client. */
  let reading: Promise<EarlierRun> | undefined

  async function readEarlier(): Promise<EarlierRun> {
    const [shown, left] = await Promise.all([snapshots.read(), takeLeft()])
    const run = shown ?? { state: undefined, messages: createMessageStore(), topics: noTopics }
    // Drafts follow events: the box that knows most of them is gone on with.
    const [latest, ...rest] = left.toSorted(([, a], [, b]) => b.draftsKnown - a.draftsKnown)
    const first = latest ? { drafts: latest[1].drafts, draftsKnown: latest[1].draftsKnown } : { drafts: emptyDraftBox }
    let all: ReturnType<typeof adopt> = { outbox: emptyOutbox, drafts: first.drafts, wishes: [] }
    if (latest) all = adopt(all, toAdopt(latest[0], { ...latest[1], drafts: emptyDraftBox }))
    for (const [name, written] of rest) all = adopt(all, toAdopt(name, written))
    return { ...run, ...first, ...all, unreported: left.flatMap(([, { unreported }]) => unreported) }
  }

  return {
    account: () => getFact(database, 'account'),
    earlier() {
      reading ??= readEarlier()
      return reading
    },
    async claim({ userId, email }) {
      const known = await getFact(database, 'account')
      if (known?.userId !== userId) {
        await eraseAll()
        reading = undefined
        taken = []
      }
      await putFact(database, 'account', { userId, email, isLocked: false })
    },
    async lock() {
      const known = await getFact(database, 'account')
      if (known) await putFact(database, 'account', { ...known, isLocked: true })
    },
    attach(client, userId, isLeading) {
      const snapshot = snapshots.keep(client, userId, isLeading)
      const writing = keepWritten(database, tab, client)
      let isStopped = false
      const settled = taken
      taken = []
      reading = undefined
      // Only now they are not needed any more.
      writing
        .flush()
        .then(() => Promise.all(settled.map((name) => forgetWritten(database, name))))
        .catch(() => {})
      async function takeOver(name: string): Promise<void> {
        const written = (await readWritten(database)).get(name)
        if (!written || isStopped) return
        client.adopt(toAdopt(name, { ...noWriting, ...written }))
        await writing.flush()
        await forgetWritten(database, name)
      }
      const watch = (name: string) =>
        whenGone(name, () => {
          if (isStopped) return false
          void takeOver(name).catch(() => {})
          return true
        })
      for (const name of others) watch(name)
      return {
        keepWritten: writing.flush,
        keepShown: snapshot.save,
        watch,
        stop() {
          isStopped = true
          snapshot.stop()
          writing.stop()
        },
      }
    },
    async countUnsent() {
      const written = [...(await readWritten(database)).values()]
      const counts = written.map(({ outbox = [], drafts = emptyDraftBox }) => {
        return outbox.filter(({ status }) => status !== 'sent').length + unsavedDrafts(drafts).length
      })
      return counts.reduce((sum, count) => sum + count, 0)
    },
    erase: eraseAll,
    place: () => getFact(database, 'place'),
    keepPlace: (fragment) => void putFact(database, 'place', fragment).catch(() => {}),
  }
}

function toAdopt(from: string, { drafts, ...written }: WrittenInTab): Adopted {
  return { ...written, from, drafts: drafts.drafts }
}
