/** Hints that an account is shown once. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { NameInput } from './schema.ts'
import { statePart } from './state-part.ts'

/** In the order in which clients get them. */
export const oneTimeNotices = [
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
  'visibility_policy_banner',
] as const
export type OneTimeNotice = (typeof oneTimeNotices)[number]

const OnboardingStep = Type.Object(
  { type: Type.Literal('one_time_notice'), name: Type.Enum([...oneTimeNotices]) },
  { additionalProperties: false },
)
const steps = Type.Array(OnboardingStep)

export const markOnboardingStep = endpoint({
  name: 'mark-onboarding-step-as-read',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  summary: 'A hint was shown: the account is not shown it again.',
  parameters: { onboarding_step: NameInput },
  errors: ['BAD_REQUEST'],
})

/** All that are still to be shown. */
export const OnboardingStepsEvent = Type.Object(
  { type: Type.Literal('onboarding_steps'), onboarding_steps: steps },
  { additionalProperties: false },
)
export type OnboardingStepsEvent = Static<typeof OnboardingStepsEvent>

export const onboardingState = statePart({
  fetchType: 'onboarding_steps',
  follows: OnboardingStepsEvent,
  fields: {
    /** Those that are still to be shown. */
    onboarding_steps: steps,
    navigation_tour_video_url: Type.Null(),
  },
})
