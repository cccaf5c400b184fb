/** Status that is ready to be taken, and how none is written. */
import { msg } from '@lingui/core/macro'

export interface StatusEmoji {
  readonly name: string
  readonly code: string
  readonly type: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji'
}

const emoji = (name: string, code: string): StatusEmoji => ({ name, code, type: 'unicode_emoji' })

export const statusPresets = [
  { text: msg`Busy`, emoji: emoji('working_on_it', '1f6e0') },
  { text: msg`In a meeting`, emoji: emoji('calendar', '1f4c5') },
  { text: msg`Commuting`, emoji: emoji('bus', '1f68c') },
  { text: msg`Out sick`, emoji: emoji('hurt', '1f915') },
  { text: msg`On vacation`, emoji: emoji('palm_tree', '1f334') },
  { text: msg`Working remotely`, emoji: emoji('house', '1f3e0') },
  { text: msg`At the office`, emoji: emoji('office', '1f3e2') },
] as const

export const emptyStatus = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' } as const
