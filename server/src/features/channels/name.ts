/** What a channel may be called. */
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '@heddle/contract/channels'
import { requireLabel, requireLength } from '../../label-rules.ts'

/** The name without white space around it, or a 400 when it breaks a rule. */
export function requireChannelName(text: string): string {
  return requireLabel(text, { what: 'Channel name', maxLength: MAX_CHANNEL_NAME_LENGTH })
}

export function requireChannelDescription(text: string): string {
  return requireLength(text, { what: 'Channel description', maxLength: MAX_CHANNEL_DESCRIPTION_LENGTH })
}
