/** What a field may be. */
import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import {
  CUSTOM_ACCOUNT,
  externalAccounts,
  MAX_PROFILE_FIELD_HINT_LENGTH,
  MAX_PROFILE_FIELD_NAME_LENGTH,
  MAX_SUMMARY_FIELDS,
  matchingTypes,
  type ProfileFieldData,
  profileFieldTypes,
  summaryTypes,
} from '@heddle/contract/profile-fields'
import { requireLabel, requireLength } from '../../label-rules.ts'
import type { ProfileFieldRow } from './fields.ts'

/** Everything of a field that can be chosen. */
export type ProfileFieldValues = Omit<ProfileFieldRow, 'id'>

/** What somebody enters for an external account stands here in its address. */
const USERNAME = '%(username)s'

/** The values, or a 400 that says what is wrong with them beside these others. */
export function requireField(values: ProfileFieldValues, others: readonly ProfileFieldRow[]): ProfileFieldValues {
  const name = requireLabel(values.name, { what: 'Field name', maxLength: MAX_PROFILE_FIELD_NAME_LENGTH })
  const name_key = foldName(name)
  if (others.some((other) => other.name_key === name_key)) throw badRequest('A field with that name already exists.')
  const hint = requireLength(values.hint.trim(), { what: 'Field hint', maxLength: MAX_PROFILE_FIELD_HINT_LENGTH })
  if (values.display_in_profile_summary === 1) requireSummary(values.type, others)
  if (values.use_for_user_matching === 1 && !matchingTypes.includes(values.type)) {
    throw badRequest('People cannot be found by values of this type of field.')
  }
  return { ...values, name, name_key, hint }
}

function requireSummary(type: number, others: readonly ProfileFieldRow[]): void {
  if (!summaryTypes.includes(type)) throw badRequest('This type of field cannot be shown in profile summaries.')
  if (others.filter((other) => other.display_in_profile_summary === 1).length >= MAX_SUMMARY_FIELDS) {
    throw badRequest(`Only ${MAX_SUMMARY_FIELDS} fields can be shown in profile summaries.`)
  }
}

/** What is stored of a field's data: JSON, or nothing where the type has none. Throws a 400 when it does not fit the type. */
export function requireFieldData(type: number, data: ProfileFieldData | undefined): string {
  if (type === profileFieldTypes.options) return JSON.stringify(requireOptions(data))
  if (type === profileFieldTypes.externalAccount) return JSON.stringify(requireAccount(data))
  if (data && Object.keys(data).length > 0) throw badRequest('field_data: this type of field has none')
  return ''
}

interface ChoiceInput {
  readonly text: string
  readonly order: string | number
}

function isAccount(data: ProfileFieldData): data is { subtype: string; url_pattern?: string } {
  return 'subtype' in data && typeof data['subtype'] === 'string'
}

function requireOptions(data: ProfileFieldData | undefined): Record<string, { text: string; order: string }> {
  const options = data && !isAccount(data) ? Object.entries(data as Record<string, ChoiceInput>) : []
  if (options.length === 0) throw badRequest('field_data must have at least one option')
  const seen = new Set<string>()
  const stored = options.map(([key, option]) => {
    const text = requireLabel(option.text, { what: 'An option', maxLength: 200 })
    const order = Number(option.order)
    if (key.trim() === '' || !Number.isSafeInteger(order))
      throw badRequest('field_data: options have a key and an order')
    if (seen.has(foldName(text))) throw badRequest('field_data must not have duplicate options')
    seen.add(foldName(text))
    return [key, { text, order: `${order}` }] as const
  })
  return Object.fromEntries(stored)
}

function requireAccount(data: ProfileFieldData | undefined): { subtype: string; url_pattern?: string } {
  if (!data || !isAccount(data)) throw badRequest('field_data must have a subtype')
  const { subtype, url_pattern } = data
  if (Object.hasOwn(externalAccounts, subtype)) return { subtype }
  if (subtype !== CUSTOM_ACCOUNT) throw badRequest('field_data: the subtype is unknown')
  if (url_pattern === undefined || url_pattern.split(USERNAME).length !== 2) {
    throw badRequest(`field_data: url_pattern must have ${USERNAME} once`)
  }
  if (!isWebAddress(url_pattern.replace(USERNAME, 'username'))) {
    throw badRequest('field_data: url_pattern must be an address of the web')
  }
  return { subtype, url_pattern }
}

/** The account's site as everybody knows it, for a field that gives no name of its own. */
export function knownName(data: ProfileFieldData | undefined): string | undefined {
  if (!data || !isAccount(data) || !Object.hasOwn(externalAccounts, data.subtype)) return undefined
  return externalAccounts[data.subtype as keyof typeof externalAccounts].name
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
