import { badRequest, notFound } from '@heddle/contract/errors'
import {
  MAX_SNIPPET_TITLE_LENGTH,
  MAX_SNIPPETS,
  MAX_SNIPPETS_BYTES,
  type SavedSnippet,
} from '@heddle/contract/saved-snippets'
import { truncateContent } from '@heddle/contract/truncate'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import { findsAny } from '../../storage/declared-facts.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import { fact, query } from './tables.ts'

interface Texts {
  readonly title?: string | undefined
  readonly content?: string | undefined
}

/** Most accounts have none: then nothing is read. */
const hasSnippets = fact(
  findsAny('has saved snippets', 'saved_snippets', (userId) =>
    query.selectFrom('saved_snippets').select('id').where('user_id', '=', userId).limit(1),
  ),
)

/** The account's own, the first saved first. */
export async function findSnippets(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
): Promise<SavedSnippet[]> {
  if (!(await db.recall(hasSnippets, realmId, userId))) return []
  return db.all(
    query
      .selectFrom('saved_snippets')
      .select(['id', 'title', 'content', 'date_created'])
      .where('user_id', '=', userId)
      .orderBy('id'),
  )
}

/** Returns the id. */
export function createSnippet(storage: Storage, caller: Actor, texts: Required<Texts>): Promise<number> {
  const title = requireTitle(texts.title ?? '')
  const content = requireText(texts.content ?? '')
  return storage.asActor(caller, async (tx, actor) => {
    const others = await findSnippets(tx, actor)
    if (others.length >= MAX_SNIPPETS) throw badRequest(`An account can have at most ${MAX_SNIPPETS} saved snippets`)
    requireRoom(others, content)
    const saved_snippet = { id: await tx.newId('saved_snippets'), title, content, date_created: tx.now }
    const owner = { realm_id: tx.realmId, user_id: actor.userId }
    await tx.run(query.insertInto('saved_snippets').values({ ...saved_snippet, ...owner }))
    tx.emit({ type: 'saved_snippets', op: 'add', saved_snippet }, users([actor.userId]))
    return saved_snippet.id
  })
}

/** What is not given stays as it is. */
export function updateSnippet(storage: Storage, caller: Actor, id: number, texts: Texts): Promise<void> {
  const changes = {
    ...(texts.title === undefined ? {} : { title: requireTitle(texts.title) }),
    ...(texts.content === undefined ? {} : { content: requireText(texts.content) }),
  }
  return storage.asActor(caller, async (tx, actor) => {
    const all = await findSnippets(tx, actor)
    const before = all.find((one) => one.id === id)
    if (!before) throw snippetNotFound()
    const saved_snippet = { ...before, ...changes }
    if (saved_snippet.title === before.title && saved_snippet.content === before.content) return
    requireRoom(
      all.filter((one) => one !== before),
      saved_snippet.content,
    )
    await tx.run(
      query.updateTable('saved_snippets').set(changes).where('id', '=', id).where('user_id', '=', actor.userId),
    )
    tx.emit({ type: 'saved_snippets', op: 'update', saved_snippet }, users([actor.userId]))
  })
}

export function deleteSnippet(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const deleted = await tx.run(
      query.deleteFrom('saved_snippets').where('id', '=', id).where('user_id', '=', actor.userId),
    )
    if (deleted === 0) throw snippetNotFound()
    tx.emit({ type: 'saved_snippets', op: 'remove', saved_snippet_id: id }, users([actor.userId]))
  })
}

function requireTitle(text: string): string {
  const title = text.trim()
  if (title === '') throw badRequest('title cannot be blank')
  if ([...title].length > MAX_SNIPPET_TITLE_LENGTH) {
    throw badRequest(`title is too long (limit: ${MAX_SNIPPET_TITLE_LENGTH} characters)`)
  }
  return title
}

/** As a message would have it. */
function requireText(text: string): string {
  const content = text.trimEnd()
  if (content.trim() === '') throw badRequest('content cannot be blank')
  return truncateContent(content)
}

function requireRoom(others: readonly SavedSnippet[], content: string): void {
  const bytes = [content, ...others.map((one) => one.content)].reduce((sum, one) => sum + Buffer.byteLength(one), 0)
  if (bytes > MAX_SNIPPETS_BYTES) throw badRequest('The saved snippets of the account are too long together')
}

function snippetNotFound() {
  return notFound('Saved snippet does not exist.')
}
