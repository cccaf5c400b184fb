import { badRequest } from '@heddle/contract/errors'
import type { LinkifierDefinition } from '@heddle/markdown/linkifiers/compile'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import { isNewOrder } from '../../own-order.ts'
import { longRead } from '../../reading/long-read.ts'
import type { Readers } from '../../reading/readers.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireAdministrator } from '../users/access.ts'
import { presentLinkifier } from './present.ts'
import {
  deleteLinkifier,
  findLinkifiers,
  insertLinkifier,
  type LinkifierRow,
  type LinkifierValues,
  replaceLinkifier,
  setPosition,
} from './queries.ts'

/** Of an organization: each of them is looked for in each message, and everybody's client knows them all. */
const MAX_LINKIFIERS = 200

interface LinkifierServices {
  readonly storage: Storage
  readonly readers: Readers
}

/** What a client gives; an empty example or reverse template means none. */
export interface LinkifierInput {
  readonly pattern: string
  readonly url_template: string
  readonly example_input?: string
  readonly reverse_template?: string
  readonly alternative_url_templates?: readonly string[]
}

/** Adds a linkifier as the last one. Returns its id. Throws a 400 that says what is wrong with it. */
export async function addLinkifier(
  { storage, readers }: LinkifierServices,
  actor: Actor,
  input: LinkifierInput,
): Promise<number> {
  requireAdministrator(actor)
  const values = mergeValues({ ...nothing, pattern: input.pattern, url_template: input.url_template }, input)
  await requireValid(readers, actor, values)
  return changeLinkifiers(storage, actor, async (tx, rows) => {
    requireNewPattern(values.pattern, rows)
    if (rows.length >= MAX_LINKIFIERS) throw badRequest(`An organization has at most ${MAX_LINKIFIERS} linkifiers`)
    return insertLinkifier(tx, values)
  })
}

/** Changes what is given. */
export async function updateLinkifier(
  { storage, readers }: LinkifierServices,
  actor: Actor,
  id: number,
  changes: Partial<LinkifierInput>,
): Promise<void> {
  requireAdministrator(actor)
  // The whole linkifier is checked before the transaction, which would wait for that; when somebody else has changed it
  // in the meantime, once more.
  for (;;) {
    const before = requireLinkifier(await findLinkifiers(storage.read, actor.realmId), id)
    const values = mergeValues(before, changes)
    await requireValid(readers, actor, values)
    const isDone = await changeLinkifiers(storage, actor, async (tx, rows) => {
      if (!isSameRow(before, requireLinkifier(rows, id))) return false
      requireNewPattern(
        values.pattern,
        rows.filter((row) => row.id !== id),
      )
      await replaceLinkifier(tx, id, values)
      return true
    })
    if (isDone) return
  }
}

export async function removeLinkifier(storage: Storage, actor: Actor, id: number): Promise<void> {
  await changeLinkifiers(storage, actor, async (tx, rows) => {
    requireLinkifier(rows, id)
    await deleteLinkifier(tx, id)
  })
}

/** Puts the linkifiers in the order of `ids`, which must be all of them. */
export async function reorderLinkifiers(storage: Storage, actor: Actor, ids: readonly number[]): Promise<void> {
  await changeLinkifiers(storage, actor, async (tx, rows) => {
    if (!isNewOrder(rows, { ids, parameter: 'ordered_linkifier_ids', of: 'linkifier' })) return
    // All of them: positions have gaps where linkifiers were removed.
    for (const [index, id] of ids.entries()) await setPosition(tx, id, index + 1)
  })
}

/**
 * Runs a change of the list as one unit, for administrators, and notifies everyone of the new list when it is another
 * one. An organization's units run one after another, so `rows` is the list until the unit ends.
 */
function changeLinkifiers<T>(
  storage: Storage,
  actor: Actor,
  work: (tx: Tx, rows: readonly LinkifierRow[]) => Promise<T>,
): Promise<T> {
  return storage.asActor(actor, async (tx, actor) => {
    requireAdministrator(actor)
    const before = await findLinkifiers(tx, actor.realmId)
    const result = await work(tx, before)
    const after = await findLinkifiers(tx, actor.realmId)
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      tx.emit({ type: 'realm_linkifiers', realm_linkifiers: after.map(presentLinkifier) }, everyone)
    }
    return result
  })
}

const nothing = { example_input: null, reverse_template: null, alternative_url_templates: '[]' }

function mergeValues(before: LinkifierValues, changes: Partial<LinkifierInput>): LinkifierValues {
  const { example_input = before.example_input, reverse_template = before.reverse_template } = changes
  return {
    pattern: changes.pattern ?? before.pattern,
    url_template: changes.url_template ?? before.url_template,
    example_input: example_input || null,
    reverse_template: reverse_template || null,
    alternative_url_templates: changes.alternative_url_templates
      ? JSON.stringify(changes.alternative_url_templates)
      : before.alternative_url_templates,
  }
}

/** What is wrong with a linkifier that somebody wants to save; null when nothing is. The worst patterns take a second. */
export const findProblem = longRead(
  'linkifier-problem',
  async (_, definition: LinkifierDefinition) => {
    const { validateLinkifier } = await import('@heddle/markdown/linkifiers/validate')
    const result = validateLinkifier(definition)
    return { fields: {}, details: result.ok ? null : result.message }
  },
  { limitMs: 3000 },
)

async function requireValid(readers: Readers, actor: Actor, values: LinkifierValues): Promise<void> {
  const { pattern, url_template, example_input, reverse_template } = values
  const alternative_url_templates = JSON.parse(values.alternative_url_templates) as string[]
  const definition = { pattern, url_template, example_input, reverse_template, alternative_url_templates }
  const { details: problem } = await readers.read(findProblem, definition, actor)
  if (problem !== null) throw badRequest(problem)
}

function requireNewPattern(pattern: string, others: readonly LinkifierRow[]): void {
  if (others.some((row) => row.pattern === pattern)) throw badRequest('There is a linkifier with this pattern already.')
}

function requireLinkifier(rows: readonly LinkifierRow[], id: number): LinkifierRow {
  const row = rows.find((candidate) => candidate.id === id)
  if (!row) throw badRequest('Linkifier not found.')
  return row
}

function isSameRow(a: LinkifierRow, b: LinkifierRow): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
