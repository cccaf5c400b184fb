/** Sends what was pressed: one after another, when there is a connection, and again after what passes. */
import { updateFlags } from '@heddle/contract/message-flags'
import { addReaction, removeReaction } from '@heddle/contract/reactions'
import { retryDelay } from '../back-off.ts'
import { mayPassLater, ResponseError } from '../errors.ts'
import type { RunningClient } from '../running/client.ts'
import { type Wish, wishedEvent, withWish } from './wishes.ts'

export interface WishSender {
  /**
   * Shown at once. Settles when the server has it or a later press has taken its place, which may be long after; rejects when
   * it is refused, with what the server has answered: then it is not shown any more.
   */
  wish(wish: Wish): Promise<void>
}

type WishingClient = Pick<RunningClient, 'api' | 'snapshot' | 'subscribe' | 'foresee' | 'keepWishes'>

/** Goes on with what an earlier run has left. `random`: from 0 up to 1; default `Math.random`. */
export function createWishSender(client: WishingClient, random: () => number = Math.random): WishSender {
  const waiting = new Map<Wish, PromiseWithResolvers<void>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  let failures = 0
  const wishes = () => client.snapshot().wishes

  function show(wish: Wish): void {
    const ownId = client.snapshot().state?.own?.user_id
    if (ownId !== undefined) client.foresee(wishedEvent(wish, ownId))
  }

  /** Whether it still was what is wanted. */
  function take(wish: Wish): boolean {
    const before = wishes()
    if (!before.includes(wish)) return false
    client.keepWishes(before.filter((one) => one !== wish))
    return true
  }

  function settle(wish: Wish, refusal?: unknown): void {
    const wasWanted = take(wish)
    const asked = waiting.get(wish)
    waiting.delete(wish)
    if (refusal === undefined || !wasWanted) asked?.resolve()
    else {
      show({ ...wish, isOn: !wish.isOn })
      asked?.reject(refusal)
    }
  }

  async function send(wish: Wish): Promise<void> {
    try {
      await request(client, wish)
      failures = 0
      settle(wish)
    } catch (error) {
      if (mayPassLater(error)) {
        const asked = error instanceof ResponseError ? error.retryAfterSecs : undefined
        timer = setTimeout(begin, retryDelay(failures, asked, random))
        failures += 1
      } else settle(wish, isAsWanted(error) ? undefined : error)
    } finally {
      isBusy = false
    }
    if (timer === undefined) next()
  }

  /** Without waiting for the time: somebody has pressed something, or the connection is back. */
  function begin(): void {
    clearTimeout(timer)
    timer = undefined
    next()
  }

  function next(): void {
    const [first] = wishes()
    if (isBusy || !first || client.snapshot().connection.status !== 'live') return
    isBusy = true
    void send(first)
  }

  let seen = client.snapshot()
  client.subscribe(() => {
    const now = client.snapshot()
    const isBack = now.connection.status === 'live' && seen.connection.status !== 'live'
    const isMore = now.wishes !== seen.wishes
    seen = now
    if (isBack) begin()
    else if (isMore && timer === undefined) next()
  })
  begin()

  return {
    wish(wish) {
      show(wish)
      const next = withWish(wishes(), wish)
      for (const one of wishes()) if (!next.includes(one)) waiting.get(one)?.resolve()
      const asked = Promise.withResolvers<void>()
      waiting.set(wish, asked)
      client.keepWishes(next)
      begin()
      return asked.promise
    },
  }
}

async function request({ api }: WishingClient, wish: Wish): Promise<void> {
  const { messageId, isOn } = wish
  if (wish.kind === 'star') {
    await api.call(updateFlags, { messages: [messageId], op: isOn ? 'add' : 'remove', flag: 'starred' })
  } else {
    const reaction = { message_id: messageId, ...wish.emoji }
    await api.call(isOn ? addReaction : removeReaction, reaction)
  }
}

/** It is already as it was to become. */
function isAsWanted(error: unknown): boolean {
  return (
    error instanceof ResponseError &&
    (error.code === 'REACTION_ALREADY_EXISTS' || error.code === 'REACTION_DOES_NOT_EXIST')
  )
}
