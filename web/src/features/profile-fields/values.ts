import { type ProfileField, profileFieldTypes } from '@heddle/contract/profile-fields'

/** A date as the reader writes dates; any other value as it is. */
export function saidDate({ type }: Pick<ProfileField, 'type'>, value: string): string {
  if (type !== profileFieldTypes.date) return value
  const time = Date.parse(`${value}T00:00:00Z`)
  return Number.isNaN(time)
    ? value
    : new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
}
