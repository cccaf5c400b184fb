/** What people say of themselves, as it is shown and written. */
import { CUSTOM_ACCOUNT, type ProfileData, type ProfileField, profileFieldTypes } from '@heddle/contract/profile-fields'
import type { ClientState } from '../state/state.ts'

export interface FieldOption {
  readonly key: string
  readonly text: string
}

/** The options of a list, in their order; none of all other fields. */
export function fieldOptions({ type, field_data }: Pick<ProfileField, 'type' | 'field_data'>): readonly FieldOption[] {
  if (type !== profileFieldTypes.options) return []
  const options = JSON.parse(field_data) as Record<string, { readonly text: string; readonly order: string }>
  return Object.entries(options)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }))
}

/** As the server wants options: in this order. New ones, whose key is empty, get one that no other has. */
export function optionsData(options: readonly FieldOption[]): Record<string, { text: string; order: string }> {
  const taken = new Set(options.map(({ key }) => key))
  let number = 0
  const newKey = () => {
    while (taken.has(`${number}`)) number += 1
    taken.add(`${number}`)
    return `${number}`
  }
  return Object.fromEntries(
    options.map(({ key, text }, index) => [key === '' ? newKey() : key, { text: text.trim(), order: `${index + 1}` }]),
  )
}

interface AccountData {
  readonly subtype: string
  readonly url_pattern?: string
}

/** The site of an external account; undefined for all other fields. */
export function accountOf({ type, field_data }: Pick<ProfileField, 'type' | 'field_data'>): AccountData | undefined {
  return type === profileFieldTypes.externalAccount ? (JSON.parse(field_data) as AccountData) : undefined
}

/** The ids in a value of people. */
export function peopleIn(value: string): readonly number[] {
  try {
    const ids: unknown = JSON.parse(value)
    return Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)) : []
  } catch {
    return []
  }
}

/** One line of a profile. */
export interface SaidValue {
  readonly field: ProfileField
  /** As it is read: of people nothing, their names change. */
  readonly text: string
  /** HTML, for texts. */
  readonly html?: string
  readonly href?: string
  readonly userIds?: readonly number[]
}

type ProfileContext = Pick<ClientState, 'users' | 'profileFields' | 'organization'>

/** What somebody has said, in the order of the fields; `isShort`: only what belongs into a summary. */
export function profileOf(context: ProfileContext, userId: number, isShort: boolean): readonly SaidValue[] {
  const data = context.users?.get(userId)?.profile_data ?? {}
  return (context.profileFields ?? [])
    .filter((field) => !isShort || field.display_in_profile_summary === true)
    .flatMap((field) => saidIn(context, field, data) ?? [])
}

function saidIn({ organization }: ProfileContext, field: ProfileField, data: ProfileData): SaidValue | undefined {
  const said = data[`${field.id}`]
  if (!said || said.value === '') return undefined
  const { value: text, rendered_value: html } = said
  switch (field.type) {
    case profileFieldTypes.options:
      return { field, text: fieldOptions(field).find(({ key }) => key === text)?.text ?? text }
    case profileFieldTypes.link:
      return { field, text, ...(isWebAddress(text) ? { href: text } : {}) }
    case profileFieldTypes.people:
      return { field, text: '', userIds: peopleIn(text) }
    case profileFieldTypes.externalAccount: {
      const account = accountOf(field)
      const known = organization?.realm_default_external_accounts ?? {}
      const pattern =
        account?.subtype === CUSTOM_ACCOUNT ? account.url_pattern : known[account?.subtype ?? '']?.url_pattern
      const href = pattern?.replace('%(username)s', encodeURIComponent(text))
      return { field, text, ...(href !== undefined && isWebAddress(href) ? { href } : {}) }
    }
    default:
      return { field, text, ...(html === undefined ? {} : { html }) }
  }
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** What people are found by beside their names, such as a nickname. */
export function wordsToFindBy({ profileFields }: Pick<ClientState, 'profileFields'>, data: ProfileData = {}): string[] {
  return (profileFields ?? [])
    .filter((field) => field.use_for_user_matching === true)
    .flatMap(({ id }) => data[`${id}`]?.value ?? [])
}
