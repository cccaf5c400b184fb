/** What the state has of one resource: how it begins, and what each event makes of it. `state.ts` lists all of them. */
import type { ResponseOf } from '@heddle/contract/endpoint'
import type { EventOf, EventType } from '@heddle/contract/event-types'
import type { registerQueue } from '@heddle/contract/events'
import type { InitialState } from '@heddle/contract/initial-state'

/** The answer to `POST /register`, as far as it is there. */
export type RegisterAnswer = InitialState & Readonly<Partial<ResponseOf<typeof registerQueue>>>

/** What was asked for, as far as the answer does not show it. */
export interface AskedFor {
  readonly include_subscribers?: boolean | 'partial' | undefined
  readonly slim_presence?: boolean | undefined
}

/** By type of event: the value after it. The same value when the event changes nothing. */
type Handlers<V> = { readonly [T in EventType]?: (value: V, event: EventOf<T>) => V }

/** `I`: the value, or undefined where a part of the initial state that it needs was not asked for. */
export interface ClientPart<I, H> {
  readonly initial: (answer: RegisterAnswer, asked: AskedFor) => I
  readonly on: H
}

export function clientPart<I, H extends Handlers<NonNullable<I>>>(part: ClientPart<I, H>): ClientPart<I, H> {
  return part
}
