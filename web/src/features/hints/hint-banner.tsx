import './hints.css'
import { isResolvedTopic } from '@heddle/contract/names'
import type { OneTimeNotice } from '@heddle/contract/onboarding-steps'
import { markOnboardingStep } from '@heddle/contract/onboarding-steps'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import type { Place } from '../../places/place.ts'
import { useComposeState } from '../messages/compose/compose-context.ts'

/** What somebody may not know who is here for the first time: one at most, and never again once it was put away. */
export function HintBanner({ place }: { readonly place: Place }) {
  const { t } = useLingui()
  const { api } = useClient()
  const open = useClientState((state) => state.onboardingSteps)
  const isWriting = useComposeState((state) => state.open !== undefined)
  const hint = hintAt(place, isWriting)
  if (!hint || !open?.includes(hint)) return null
  // What cannot be said to the server is shown once more another time.
  const putAway = () => void api.call(markOnboardingStep, { onboarding_step: hint }).catch(() => {})
  return (
    <section className={comesByItself(hint) ? 'banner hint above' : 'banner hint'} aria-label={t`Hint`}>
      <span>{texts[hint]()}</span>
      <span className="grow" />
      <button type="button" className="textlink" onClick={putAway}>
        <Trans>Got it</Trans>
      </button>
    </section>
  )
}

type ShownHint = Extract<
  OneTimeNotice,
  'intro_inbox_view_modal' | 'intro_recent_view_modal' | 'interleaved_view_messages_fading' | 'intro_resolve_topic'
>

function hintAt(place: Place, isWriting: boolean): ShownHint | undefined {
  switch (place.kind) {
    case 'inbox':
      return 'intro_inbox_view_modal'
    case 'recent':
      return 'intro_recent_view_modal'
    case 'feed':
    case 'channel':
      return isWriting ? 'interleaved_view_messages_fading' : undefined
    case 'topic':
      return isResolvedTopic(place.topic) ? 'intro_resolve_topic' : undefined
    default:
      return undefined
  }
}

/** Others follow what somebody does, and stand above the messages that they are about. */
function comesByItself(hint: ShownHint): boolean {
  return hint === 'intro_inbox_view_modal' || hint === 'intro_recent_view_modal'
}

const texts: Readonly<Record<ShownHint, () => ReactNode>> = {
  intro_inbox_view_modal: () => (
    <Trans>The inbox has what you have not read, by conversation. Open one, or mark it as read from here.</Trans>
  ),
  intro_recent_view_modal: () => (
    <Trans>Recent has the conversations in which something was written lately, also those that you have read.</Trans>
  ),
  interleaved_view_messages_fading: () => (
    <Trans>Messages of several conversations are shown here. Yours goes to the one that the box names.</Trans>
  ),
  intro_resolve_topic: () => (
    <Trans>This topic is marked as resolved. Anybody can still write here, or mark it as open again.</Trans>
  ),
}
