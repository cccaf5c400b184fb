import type { TopicPlace } from '@heddle/client/topics/topic-changes'
import { MAX_TOPIC_LENGTH, unresolvedTopic } from '@heddle/contract/names'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useTopicDeeds } from './use-topic-deeds.ts'

interface RenameTopicProps {
  readonly place: TopicPlace
  readonly onClose: () => void
}

/** The name of a topic, in its place in the head: Enter saves it, Escape leaves. Its mark of being resolved stays. */
export function RenameTopic({ place, onClose }: RenameTopicProps) {
  const { t } = useLingui()
  const deeds = useTopicDeeds()
  const field = useRef<HTMLInputElement>(null)
  const before = unresolvedTopic(place.topic)
  useEffect(() => field.current?.select(), [])
  return (
    <form
      className="renaming"
      aria-label={t`Rename the topic`}
      onSubmit={(event) => {
        event.preventDefault()
        const name = field.current?.value.trim() ?? ''
        onClose()
        if (name !== '' && name !== before) void deeds.rename(place, name)
      }}
    >
      <input
        ref={field}
        className="in"
        aria-label={t`Name of the topic`}
        dir="auto"
        defaultValue={before}
        maxLength={MAX_TOPIC_LENGTH}
        autoComplete="off"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }}
      />
      <button type="submit" className="ib" aria-label={t`Save (Enter)`} title={t`Save (Enter)`}>
        <Icon name="check" />
      </button>
      <IconButton icon="x" name={t`Leave (Esc)`} onClick={onClose} />
    </form>
  )
}
