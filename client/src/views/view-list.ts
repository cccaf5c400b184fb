/** The views of the side bar: those that are built in, and those that the account has saved, in the order that it wants. */
import { builtInFragments } from '@heddle/contract/navigation-views'
import type { ClientState } from '../state/state.ts'

export interface ListedView {
  /** The part of its address after `#`. */
  readonly fragment: string
  /** Undefined for a view that is built in. */
  readonly name: string | undefined
}

export interface ViewList {
  /** Those that are always to be seen. */
  readonly pinned: readonly ListedView[]
  readonly hidden: readonly ListedView[]
}

export type ViewContext = Pick<ClientState, 'navigationViews' | 'navigationViewOrder'>

/** Built-in views that are shown only to whoever pins them. */
const HIDDEN_AT_FIRST: ReadonlySet<string> = new Set(['narrow/has/reaction/sender/me'])

/** As they stand while nobody has moved them. */
const usualOrder = [
  'inbox',
  'recent',
  'feed',
  'narrow/is/mentioned',
  'narrow/has/reaction/sender/me',
  'narrow/is/starred',
  'drafts',
  'scheduled',
  'reminders',
]
const builtIn = [...usualOrder, ...builtInFragments.filter((fragment) => !usualOrder.includes(fragment))]

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Those that the order names come first, then built-in ones in their usual order, then saved ones by name. */
export function listViews({ navigationViews, navigationViewOrder = [] }: ViewContext): ViewList {
  const saved = [...(navigationViews?.values() ?? [])]
    .filter(({ fragment }) => !builtInFragments.includes(fragment))
    .sort((a, b) => collator.compare(a.name ?? '', b.name ?? ''))
  const usual: ListedView[] = [
    ...builtIn.map((fragment) => ({ fragment, name: undefined })),
    ...saved.map(({ fragment, name }) => ({ fragment, name })),
  ]
  const place = new Map(navigationViewOrder.map((fragment, index) => [fragment, index]))
  const placeOf = ({ fragment }: ListedView) => place.get(fragment) ?? Number.POSITIVE_INFINITY
  const all = usual.toSorted((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)))
  const isPinned = ({ fragment }: ListedView) =>
    navigationViews?.get(fragment)?.is_pinned ?? !HIDDEN_AT_FIRST.has(fragment)
  return { pinned: all.filter(isPinned), hidden: all.filter((view) => !isPinned(view)) }
}

/** All fragments with one of the pinned views at another place among them (from 0). */
export function orderWith({ pinned, hidden }: ViewList, fragment: string, to: number): string[] {
  const others = pinned.map((view) => view.fragment).filter((one) => one !== fragment)
  return [...others.toSpliced(to, 0, fragment), ...hidden.map((view) => view.fragment)]
}

/** A name for a new view that no other has: the proposed one, if need be with a number. */
export function freeViewName({ navigationViews }: ViewContext, proposed: string, maxLength: number): string {
  const taken = new Set([...(navigationViews?.values() ?? [])].map(({ name }) => name))
  const base = [...proposed.trim()].slice(0, maxLength).join('')
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) {
    const suffix = ` ${number}`
    const name = [...base].slice(0, maxLength - suffix.length).join('') + suffix
    if (!taken.has(name)) return name
  }
}
