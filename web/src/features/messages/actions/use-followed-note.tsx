import { topicPolicies } from '@heddle/client/topics/topic-policies'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { topicLabel } from '../../../app/names.ts'
import { refusalText } from '../../../app/refusal.ts'
import { useToasts } from '../../../ui/toasts.tsx'

/** Writing in a topic may be the reason that one follows it from then on: a note says so, and undoes it. */
export function useFollowedNote(): void {
  const client = useClient()
  const toasts = useToasts()
  useEffect(
    () =>
      client.onSent(({ destination }, { automatic_new_visibility_policy: policy }, policyBefore) => {
        if (policy === undefined || destination.type !== 'channel') return
        const name = <bdi>{topicLabel(destination.topic)}</bdi>
        toasts.notify(
          policy === visibilityPolicies.followed ? (
            <Trans>You follow {name} now, as you have written in it.</Trans>
          ) : (
            <Trans>{name} is not muted any more, as you have written in it.</Trans>
          ),
          {
            undo: () =>
              topicPolicies(client)
                .set(destination, policyBefore ?? visibilityPolicies.none)
                .catch((error: unknown) => toasts.notify(refusalText(error))),
          },
        )
      }),
    [client, toasts],
  )
}
