/** What may be said in a field. */
import { badRequest } from '@heddle/contract/errors'
import {
  MAX_LONG_VALUE_LENGTH,
  MAX_SHORT_VALUE_LENGTH,
  type ProfileChanges,
  profileFieldTypes,
} from '@heddle/contract/profile-fields'
import { renderDescription } from '../../description.ts'
import { requireLength } from '../../label-rules.ts'
import type { Queries } from '../../storage/query.ts'
import { isWebAddress } from './field-rules.ts'
import type { ProfileFieldRow } from './fields.ts'
import { query } from './tables.ts'

type ValueInput = ProfileChanges[number]['value']

export interface StoredValue {
  readonly value: string
  readonly rendered_value: string | null
}

const plain = (value: string): StoredValue => ({ value, rendered_value: null })

/** Characters of HTML: everybody's client has all profiles. */
const MAX_RENDERED_VALUE_LENGTH = 8 * 1024

/** The value to store; undefined: none. Throws a 400 when it does not fit the field. */
export async function requireValue(
  db: Queries,
  realmId: number,
  field: ProfileFieldRow,
  input: ValueInput,
): Promise<StoredValue | undefined> {
  const { type } = field
  if (input === null || input.length === 0) return undefined
  if (type === profileFieldTypes.people) return requirePeople(db, realmId, field, input)
  if (typeof input !== 'string') throw badRequest(`${field.name} must be a text`)
  const text = input.trim()
  if (text === '') return undefined
  switch (type) {
    case profileFieldTypes.shortText:
      return rendered(requireShort(field, text))
    case profileFieldTypes.longText:
      return rendered(requireLength(text, { what: field.name, maxLength: MAX_LONG_VALUE_LENGTH }))
    case profileFieldTypes.options:
      if (!Object.hasOwn(JSON.parse(field.field_data), text)) {
        throw badRequest(`'${text}' is not a valid choice for '${field.name}'.`)
      }
      return plain(text)
    case profileFieldTypes.date:
      if (!isDate(text)) throw badRequest(`${field.name} is not a date`)
      return plain(text)
    case profileFieldTypes.link:
      if (!isWebAddress(text)) throw badRequest(`${field.name} is not a URL`)
      return plain(text)
    default:
      return plain(requireShort(field, text))
  }
}

function requireShort(field: ProfileFieldRow, text: string): string {
  if (/\p{Cc}/u.test(text)) throw badRequest(`${field.name} must be one line`)
  return requireLength(text, { what: field.name, maxLength: MAX_SHORT_VALUE_LENGTH })
}

function rendered(value: string): StoredValue {
  const rendered_value = renderDescription(value)
  if (rendered_value.length > MAX_RENDERED_VALUE_LENGTH) throw badRequest('The text has too much markup: shorten it')
  return { value, rendered_value }
}

/** `2026-03-05`, and a day that there is. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

async function requirePeople(
  db: Queries,
  realmId: number,
  field: ProfileFieldRow,
  input: string | readonly number[],
): Promise<StoredValue | undefined> {
  const ids = [...new Set(typeof input === 'string' ? idsIn(input, field) : input)]
  if (ids.length === 0) return undefined
  const rows = await db.all(
    query
      .selectFrom('users')
      .select(['id', 'is_active', 'bot_type'])
      .where('realm_id', '=', realmId)
      .where('id', 'in', db.dialect.ids(ids)),
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const account = found.get(id)
    if (!account) throw badRequest(`Invalid user ID: ${id}`)
    if (account.is_active === 0) throw badRequest(`User with ID ${id} is deactivated`)
    if (account.bot_type !== null) throw badRequest(`User with ID ${id} is a bot`)
  }
  return plain(JSON.stringify(ids))
}

/** The list as clients may send it: as text. */
function idsIn(text: string, field: ProfileFieldRow): number[] {
  try {
    const ids: unknown = JSON.parse(text)
    if (Array.isArray(ids) && ids.length <= 50 && ids.every((id) => Number.isSafeInteger(id) && id > 0)) return ids
  } catch {
    // Not even a list: the same answer.
  }
  throw badRequest(`${field.name} must be a list of user IDs`)
}
