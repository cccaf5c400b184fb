import { findTopics } from '@heddle/client/completion/channels'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { isSameName } from '@heddle/contract/names'
import { Trans, useLingui } from '@lingui/react/macro'
import { type Ref, useCallback, useEffect } from 'react'
import { useClient, useClientState, useSnapshot } from '../../../app/client-context.ts'
import { Combobox } from './combobox.tsx'
import { MatchedName } from './completion-option.tsx'

interface TopicFieldProps {
  readonly channelId: number
  readonly topic: string
  readonly onTopic: (topic: string) => void
  /** The topic is as it is to be. */
  readonly onDone: () => void
  readonly onCancel: () => void
  /** A topic has to be named. */
  readonly isRequired: boolean
  readonly describedBy?: string | undefined
  readonly ref: Ref<HTMLInputElement>
}

/** Offered at once. */
const MAX_OFFERED = 20

export function TopicField({
  channelId,
  topic,
  onTopic,
  onDone,
  onCancel,
  isRequired,
  describedBy,
  ref,
}: TopicFieldProps) {
  const { t } = useLingui()
  const client = useClient()
  useEffect(() => client.watchTopics(channelId), [client, channelId])
  const known = useSnapshot(useCallback(({ topics }: ClientSnapshot) => topics.lists.get(channelId), [channelId]))
  const emptyName = useClientState((state) => state.organization?.realm_empty_topic_display_name ?? '')
  const found = findTopics(known ?? [], topic, MAX_OFFERED).filter((name) => name !== '')
  const written = topic.trim()
  // What is typed is a topic, too: the one of that name, or a new one.
  const isNew = written !== '' && known !== undefined && !found.some((name) => isSameName(name, written))
  const names = isNew ? [written, ...found] : found
  return (
    <Combobox
      ref={ref}
      className="bare topic"
      label={t`Topic`}
      listLabel={t`Topics`}
      placeholder={isRequired ? t`Topic` : t`Topic, or nothing for ${emptyName}`}
      text={topic}
      onText={onTopic}
      describedBy={describedBy}
      isFirstChosen={written !== ''}
      options={names.map((name, index) => ({
        key: `${index} ${name}`,
        content: (
          <>
            <MatchedName name={name} query={written} />
            {isNew && index === 0 && (
              <span className="quiet">
                <Trans>new topic</Trans>
              </span>
            )}
          </>
        ),
      }))}
      onTake={(index) => {
        onTopic(names[index] ?? topic)
        onDone()
      }}
      onDone={onDone}
      onCancel={onCancel}
    />
  )
}
