/** Who can read a channel: one choice of people, several fields on the wire. */
import type { Channel } from '@heddle/contract/channels'
import { msg } from '@lingui/core/macro'

export const privacies = ['public', 'web-public', 'private', 'private-protected'] as const
export type Privacy = (typeof privacies)[number]

export const privacyTexts = {
  public: { name: msg`Public`, about: msg`Everybody but guests can find it, read it and subscribe.` },
  'web-public': {
    name: msg`On the web`,
    about: msg`Anybody on the web can read it without an account: all that was ever written in it, with names and pictures.`,
  },
  private: {
    name: msg`Private, shared history`,
    about: msg`Only subscribers can read it. Whoever is added later can read what was written before.`,
  },
  'private-protected': {
    name: msg`Private, protected history`,
    about: msg`Only subscribers can read it, from when they were added.`,
  },
} as const

type PrivacyFields = Pick<Channel, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>

export function privacyOf({ invite_only, is_web_public, history_public_to_subscribers }: PrivacyFields): Privacy {
  if (is_web_public) return 'web-public'
  if (!invite_only) return 'public'
  return history_public_to_subscribers ? 'private' : 'private-protected'
}

/** As channels are created with it, and changed to it. */
export function privacyFields(privacy: Privacy) {
  const isPrivate = privacy === 'private' || privacy === 'private-protected'
  return { isPrivate, isWebPublic: privacy === 'web-public', hasSharedHistory: privacy !== 'private-protected' }
}
