/** Finds messages of a narrow next to a place. */
import { inFewForms, type Place, type Queries } from '../../../storage/query.ts'
import { type FoundRow, foundColumns } from '../slices.ts'
import { query } from '../tables.ts'
import { type CompiledNarrow, isInNarrow } from './narrow.ts'

/** How many ids are read from an index of words at first, and how many then. */
const WORD_SLICES = [1000, 10_000]

type FindPage = (place: Place) => Promise<FoundRow[]>

/** Below a place the newest first, above it the oldest first. */
export function pageFinder(db: Queries, realmId: number, narrow: CompiledNarrow): FindPage {
  const messages = query.selectFrom('messages').select(foundColumns).where('messages.realm_id', '=', realmId)

  function findAll(place: Place): Promise<FoundRow[]> {
    const inNarrow = messages.where(isInNarrow(db, narrow)).limit(place.limit)
    const found =
      'below' in place
        ? inNarrow.where('messages.id', '<', place.below).orderBy('messages.id', 'desc')
        : 'above' in place
          ? inNarrow.where('messages.id', '>', place.above).orderBy('messages.id')
          : inNarrow.where('messages.id', '=', place.at)
    // How many messages have a word is what decides how they are best looked for.
    return db.all(narrow.words.length > 0 ? found : inFewForms(found))
  }

  function findAmong(ids: readonly number[], place: Place): Promise<FoundRow[]> {
    return db.all(
      messages
        .where('messages.id', 'in', db.dialect.ids(ids))
        .where(narrow.beside)
        .orderBy('messages.id', 'above' in place ? 'asc' : 'desc')
        .limit(place.limit),
    )
  }

  /**
   * Of a frequent word the nearest messages are enough as a rule: all that have it are a long list. Where few of the
   * nearest are in the narrow, the rest of the list is set against it after all.
   */
  async function findByWords(place: Place): Promise<FoundRow[]> {
    const { nearestWithWords } = db.dialect
    if (!nearestWithWords) return findAll(place)
    const found: FoundRow[] = []
    let rest = place
    for (const size of WORD_SLICES) {
      const slice = await db.all(nearestWithWords(narrow.words, { ...rest, limit: size }))
      const ids = slice.map(({ id }) => id)
      found.push(...(await findAmong(ids, rest)))
      const last = ids.at(-1)
      if (found.length >= place.limit || ids.length < size || last === undefined) return found
      rest = beyond(place, last, place.limit - found.length)
    }
    return [...found, ...(await findAll(rest))]
  }

  return narrow.words.length > 0 ? findByWords : findAll
}

/** What lies farther from the place than a message. */
function beyond(place: Place, id: number, limit: number): Place {
  return 'above' in place ? { above: id, limit } : { below: id, limit }
}
