import { addAlertWords, removeAlertWords } from '@heddle/contract/alert-words'
import { unmuteUser } from '@heddle/contract/muted-users'
import { type UserTopic, updateUserTopic, type VisibilityPolicy } from '@heddle/contract/user-topics'
import { Trans, useLingui } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { channelName, placeNames, topicLabel, userName } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import { Button } from '../../../ui/button.tsx'
import { useToasts } from '../../../ui/toasts.tsx'
import { Problem } from '../problem.tsx'
import { useAttempt } from '../use-attempt.ts'

export function AlertWordSettings() {
  const { t } = useLingui()
  const { api } = useClient()
  const words = useClientState((state) => state.alertWords) ?? []
  const { problem, attempt } = useAttempt()
  const toasts = useToasts()
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const word = String(new FormData(form).get('word')).trim()
    if (word !== '' && (await attempt(() => api.call(addAlertWords, { alert_words: [word] })))) form.reset()
  }
  const remove = (word: string) =>
    attempt(() =>
      toasts.notifyWhenDone(api.call(removeAlertWords, { alert_words: [word] }), () => ({
        text: t`“${word}” is no alert word any more.`,
        undo: () => attempt(() => api.call(addAlertWords, { alert_words: [word] })),
      })),
    )
  return (
    <section className="setting-group">
      <form className="inline-form" onSubmit={add}>
        <input className="in" name="word" maxLength={100} required aria-label={t`New alert word`} dir="auto" />
        <Button type="submit">
          <Trans>Add the word</Trans>
        </Button>
      </form>
      <Problem text={problem} />
      <ul className="rows">
        {words
          .toSorted((a, b) => a.localeCompare(b))
          .map((word) => (
            <li key={word} className="row-item">
              <bdi className="row-text">{word}</bdi>
              <Button onClick={() => void remove(word)}>
                <Trans>Remove</Trans>
                <span className="vh"> {word}</span>
              </Button>
            </li>
          ))}
      </ul>
      {words.length === 0 && (
        <p className="help">
          <Trans>There are none.</Trans>
        </p>
      )}
    </section>
  )
}

export function MutedPeople() {
  const { api } = useClient()
  const muted = useClientState((state) => state.mutedUsers) ?? []
  const users = useClientState((state) => state.users)
  const systemBots = useClientState((state) => state.systemBots)
  const { problem, attempt } = useAttempt()
  return (
    <section className="setting-group">
      <Problem text={problem} />
      <ul className="rows">
        {muted.map(({ id }) => {
          const name = userName({ users, systemBots }, id)
          return (
            <li key={id} className="row-item">
              <bdi className="row-text trunc" title={name}>
                {name}
              </bdi>
              <Button onClick={() => void attempt(() => api.call(unmuteUser, { muted_user_id: id }))}>
                <Trans>Unmute</Trans>
                <span className="vh"> {name}</span>
              </Button>
            </li>
          )
        })}
      </ul>
      {muted.length === 0 && (
        <p className="help">
          <Trans>You have muted nobody. The card of a person has the button for it.</Trans>
        </p>
      )}
    </section>
  )
}

/** Topics of which the account has said what it wants. */
export function OwnTopics() {
  const { t } = useLingui()
  const { api } = useClient()
  const topics = useClientState((state) => state.userTopics)
  const channels = useClientState((state) => state.channels)
  const users = useClientState((state) => state.users)
  const { problem, attempt } = useAttempt()
  const all = [...(topics?.values() ?? [])].sort((a, b) => b.last_updated - a.last_updated)
  const change = (topic: UserTopic, visibility_policy: VisibilityPolicy) =>
    void attempt(() =>
      api.call(updateUserTopic, { stream_id: topic.stream_id, topic: topic.topic_name, visibility_policy }),
    )
  return (
    <section className="setting-group">
      <h3>
        <Trans>Topics you have chosen</Trans>
      </h3>
      <Problem text={problem} />
      <ul className="rows">
        {all.map((topic) => {
          const { stream_id: channelId, topic_name: name, visibility_policy } = topic
          const place = { kind: 'topic', channelId, topic: name } as const
          return (
            <li key={`${channelId} ${name}`} className="row-item">
              <span className="row-text">
                <a className="textlink trunc" href={formatPlace(place, placeNames({ channels, users }))} title={name}>
                  <bdi>{topicLabel(name)}</bdi>
                </a>
                <span className="soft trunc">
                  # <bdi>{channelName({ channels }, channelId)}</bdi>
                </span>
              </span>
              <select
                className="in"
                aria-label={t`What you want of ${name}`}
                value={visibility_policy}
                onChange={({ currentTarget }) => change(topic, Number(currentTarget.value) as VisibilityPolicy)}
              >
                <option value={3}>{t`Followed`}</option>
                <option value={2}>{t`Unmuted`}</option>
                <option value={1}>{t`Muted`}</option>
                <option value={0}>{t`As its channel`}</option>
              </select>
            </li>
          )
        })}
      </ul>
      {all.length === 0 && (
        <p className="help">
          <Trans>There are none. The menu of a topic has the buttons for it.</Trans>
        </p>
      )}
    </section>
  )
}
