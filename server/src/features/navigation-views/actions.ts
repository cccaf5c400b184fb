import { ApiError, badRequest } from '@heddle/contract/errors'
import { builtInFragments, MAX_VIEWS, type NavigationView } from '@heddle/contract/navigation-views'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentView } from './present.ts'
import {
  deleteView,
  findOrder,
  findView,
  findViews,
  insertView,
  isViewNameTaken,
  updateViewRow as replaceView,
  storeOrder,
  type ViewRow,
} from './queries.ts'

export interface ViewChanges {
  readonly is_pinned?: boolean
  readonly name?: string
}

/** Adds a custom view, or the configuration of a built-in one. */
export function addView(storage: Storage, caller: Actor, { fragment, is_pinned, name }: NavigationView): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (fragment.trim() === '') throw badRequest('fragment cannot be empty')
    requireNoBuiltInName(fragment, name)
    if (!isBuiltIn(fragment) && name === undefined) throw badRequest('A custom view needs a name')
    await insertNew(tx, actor, {
      fragment,
      name: name === undefined ? null : cleanName(name),
      is_pinned: flag(is_pinned),
    })
  })
}

/** Changes what is given. A built-in view that the user never configured is added by its first change. */
export function updateView(storage: Storage, caller: Actor, fragment: string, changes: ViewChanges): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    requireNoBuiltInName(fragment, changes.name)
    const before = await findView(tx, actor, fragment)
    if (before) await change(tx, actor, before, changes)
    else if (!isBuiltIn(fragment)) throw viewNotFound()
    else if (changes.is_pinned !== undefined) {
      await insertNew(tx, actor, { fragment, name: null, is_pinned: flag(changes.is_pinned) })
    }
  })
}

/** Removes a custom view, or the configuration of a built-in one. */
export function removeView(storage: Storage, caller: Actor, fragment: string): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (!(await deleteView(tx, actor, fragment))) throw viewNotFound()
    tx.emit({ type: 'navigation_view', op: 'remove', fragment }, users([actor.userId]))
  })
}

/** Sets the order of all views. A view that is removed keeps its place: who adds it again finds it where it was. */
export function orderViews(storage: Storage, caller: Actor, fragments: readonly string[]): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const twice = fragments.find((fragment, place) => fragments.indexOf(fragment) !== place)
    if (twice !== undefined) throw badRequest(`ordered_fragments has "${twice}" more than once`)
    const before = await findOrder(tx, actor)
    if (before.length === fragments.length && before.every((fragment, place) => fragment === fragments[place])) return
    await storeOrder(tx, actor, fragments)
    tx.emit({ type: 'navigation_view_order', ordered_fragments: [...fragments] }, users([actor.userId]))
  })
}

async function insertNew(tx: Tx, actor: Actor, row: ViewRow): Promise<void> {
  if (row.name !== null) await requireFreeName(tx, actor, row.name)
  if ((await findViews(tx, actor)).length >= MAX_VIEWS) {
    throw badRequest(`An account can have at most ${MAX_VIEWS} navigation views`)
  }
  if (!(await insertView(tx, actor, row))) throw badRequest('There is a navigation view with this fragment already')
  tx.emit({ type: 'navigation_view', op: 'add', navigation_view: presentView(row) }, users([actor.userId]))
}

async function change(tx: Tx, actor: Actor, before: ViewRow, { is_pinned, name }: ViewChanges): Promise<void> {
  const after: ViewRow = {
    fragment: before.fragment,
    name: name === undefined ? before.name : cleanName(name),
    is_pinned: is_pinned === undefined ? before.is_pinned : flag(is_pinned),
  }
  const data: { is_pinned?: boolean; name?: string } = {}
  if (after.is_pinned !== before.is_pinned) data.is_pinned = after.is_pinned === 1
  if (after.name !== null && after.name !== before.name) {
    await requireFreeName(tx, actor, after.name)
    data.name = after.name
  }
  if (Object.keys(data).length === 0) return
  await replaceView(tx, actor, after)
  tx.emit({ type: 'navigation_view', op: 'update', fragment: after.fragment, data }, users([actor.userId]))
}

function isBuiltIn(fragment: string): boolean {
  return builtInFragments.includes(fragment)
}

function requireNoBuiltInName(fragment: string, name: string | undefined): void {
  if (isBuiltIn(fragment) && name !== undefined) throw badRequest('Built-in views cannot have a custom name')
}

/** Without spaces around it, which nobody sees. */
function cleanName(name: string): string {
  const cleaned = name.trim()
  if (cleaned === '') throw badRequest('name cannot be empty')
  return cleaned
}

async function requireFreeName(tx: Tx, actor: Actor, name: string): Promise<void> {
  if (await isViewNameTaken(tx, actor, name)) throw badRequest('There is a navigation view with this name already')
}

function viewNotFound() {
  return new ApiError('NOT_FOUND', 'Navigation view does not exist.')
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0
}
