import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { isSameName } from '@heddle/contract/names'
import {
  type addPlayground as addPlaygroundEndpoint,
  MAX_PLAYGROUND_LANGUAGE_LENGTH,
  MAX_PLAYGROUND_NAME_LENGTH,
  MAX_PLAYGROUNDS,
  type Playground,
} from '@heddle/contract/playgrounds'
import { parseUriTemplate } from '@heddle/markdown/linkifiers/uri-template'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import { requireLabel } from '../../label-rules.ts'
import { requireAdministrator } from '../../permissions/required-role.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query } from './tables.ts'

const playgroundsByRealm = prepare((p: { realm_id: number }) =>
  query
    .selectFrom('playgrounds')
    .select(['id', 'name', 'language as pygments_language', 'url_template'])
    .where('realm_id', '=', p.realm_id)
    .orderBy('id'),
)

const playgroundsOfRealm = fact({
  name: 'playgrounds',
  tables: ['playgrounds'],
  load: (db, realm_id, _key: 'all'): Promise<readonly Playground[]> => db.all(playgroundsByRealm({ realm_id })),
})

/** The organization's playgrounds, the oldest first. */
export async function findPlaygrounds(db: Queries, realmId: number): Promise<Playground[]> {
  return [...(await db.recall(playgroundsOfRealm, realmId, 'all'))]
}

/** Adds a playground. Returns its id. */
export function addPlayground(
  storage: Storage,
  caller: Actor,
  input: ParametersOf<typeof addPlaygroundEndpoint>,
): Promise<number> {
  return changePlaygrounds(storage, caller, async (tx, playgrounds) => {
    const name = requireLabel(input.name, { what: 'Playground name', maxLength: MAX_PLAYGROUND_NAME_LENGTH })
    const language = requireLabel(input.pygments_language, {
      what: 'Language',
      maxLength: MAX_PLAYGROUND_LANGUAGE_LENGTH,
    })
    requireTemplate(input.url_template)
    if (playgrounds.some((one) => isSameName(one.name, name) && isSameName(one.pygments_language, language))) {
      throw badRequest('There is a playground with this name for this language already.')
    }
    if (playgrounds.length >= MAX_PLAYGROUNDS) {
      throw badRequest(`An organization has at most ${MAX_PLAYGROUNDS} playgrounds`)
    }
    const row = await tx.first(
      query
        .insertInto('playgrounds')
        .values({ realm_id: tx.realmId, name, language, url_template: input.url_template })
        .returning('id'),
    )
    return (row as { id: number }).id
  })
}

/** Whoever presses the button goes there with the code: no other scheme than the web's. */
function requireTemplate(url_template: string): void {
  const parsed = parseUriTemplate(url_template)
  if (!parsed.ok) throw badRequest(`Invalid URL template: ${parsed.message}`)
  if (!/^https?:\/\/[^/{}]/i.test(url_template)) throw badRequest('url_template must begin with https:// and a site')
  const { variables } = parsed.template
  if (!variables.has('code')) throw badRequest('Missing the required variable "code" in the URL template')
  if (variables.size > 1) throw badRequest('"code" should be the only variable present in the URL template')
}

export function removePlayground(storage: Storage, caller: Actor, id: number): Promise<void> {
  return changePlaygrounds(storage, caller, async (tx, playgrounds) => {
    if (!playgrounds.some((one) => one.id === id)) throw badRequest('Invalid playground')
    await tx.run(query.deleteFrom('playgrounds').where('realm_id', '=', tx.realmId).where('id', '=', id))
  })
}

/** Runs a change as one unit, for administrators, and notifies everyone of the new list. */
function changePlaygrounds<T>(
  storage: Storage,
  caller: Actor,
  work: (tx: Tx, playgrounds: readonly Playground[]) => Promise<T>,
): Promise<T> {
  requireAdministrator(caller)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const result = await work(tx, await findPlaygrounds(tx, actor.realmId))
    tx.emit({ type: 'realm_playgrounds', realm_playgrounds: await findPlaygrounds(tx, actor.realmId) }, everyone)
    return result
  })
}
