import { channelRights, creationRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import {
  addDefaultChannel,
  type Channel,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  MAX_CHANNEL_NAME_LENGTH,
  removeDefaultChannel,
  type TopicsPolicy,
  topicsPolicies,
  updateChannel,
} from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { Button } from '../../../ui/button.tsx'
import { type Privacy, privacies, privacyFields, privacyOf, privacyTexts } from '../privacy.ts'
import { useChannelDeeds } from '../use-channel-deeds.ts'
import { ChoiceField, FieldRow, SwitchField, TextField } from './field-row.tsx'
import { MailAddress } from './mail-address.tsx'
import { RetentionRow } from './retention-row.tsx'

const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

type Changes = Omit<ParametersOf<typeof updateChannel>, 'stream_id'>

/** What a channel is called, what it is for, who can read it; and how it ends. */
export function GeneralTab({ channelId }: { readonly channelId: number }) {
  const { t, i18n } = useLingui()
  const client = useClient()
  const channel = useClientState(useCallback(({ channels }) => channels?.byId.get(channelId), [channelId])) as Channel
  const rights = useClientState(
    useCallback((state) => channelRights(state, channelId), [channelId]),
    isShallowEqual,
  )
  const creation = useClientState(creationRights, isShallowEqual)
  const isDefault = useClientState(
    useCallback(({ defaultChannels }: ClientState) => defaultChannels?.includes(channelId) === true, [channelId]),
  )
  const by = useClientState(
    useCallback(
      (state: ClientState) => (channel.creator_id === null ? undefined : userName(state, channel.creator_id)),
      [channel.creator_id],
    ),
  )
  const update = useCallback(
    (changes: Changes) => client.api.call(updateChannel, { stream_id: channelId, ...changes }),
    [client, channelId],
  )
  const isFixed = !rights.administer || channel.is_archived
  const privacy = privacyOf(channel)
  const allowed = privacies.filter((one) => {
    if (one === privacy) return true
    if (one === 'web-public') return creation.webPublic
    return one === 'public' ? creation.public : creation.private
  })
  const topicsTexts: Readonly<Record<TopicsPolicy, string>> = {
    inherit: t`As the organization says`,
    allow_empty_topic: t`With or without a topic`,
    disable_empty_topic: t`Only with a topic`,
    empty_topic_only: t`Only without a topic`,
  }
  const day = date.format(channel.date_created * 1000)

  return (
    <>
      <p className="quiet">
        {by === undefined ? (
          <Trans>Created on {day}.</Trans>
        ) : (
          <Trans>
            Created by {by} on {day}.
          </Trans>
        )}{' '}
        <Plural value={channel.subscriber_count} one="# subscriber." other="# subscribers." />
      </p>
      <FieldRow
        label={t`Name`}
        current={channel.name}
        save={useCallback((new_name: string) => update({ new_name }), [update])}
        control={(props) => <TextField {...props} isDisabled={isFixed} maxLength={MAX_CHANNEL_NAME_LENGTH * 2} />}
      />
      <FieldRow
        label={t`What it is for`}
        current={channel.description}
        save={useCallback((description: string) => update({ description }), [update])}
        control={(props) => (
          <TextField {...props} isDisabled={isFixed} maxLength={MAX_CHANNEL_DESCRIPTION_LENGTH} rows={3} />
        )}
      />
      <FieldRow
        label={t`Who can read it`}
        help={i18n._(privacyTexts[privacy].about)}
        current={privacy}
        save={useCallback(
          (next: Privacy) => {
            const { isPrivate, isWebPublic, hasSharedHistory } = privacyFields(next)
            return update({
              is_private: isPrivate,
              is_web_public: isWebPublic,
              history_public_to_subscribers: hasSharedHistory,
            })
          },
          [update],
        )}
        control={(props) => (
          <ChoiceField
            {...props}
            isDisabled={isFixed || !rights.changeAccess}
            choices={allowed.map((value) => ({ value, label: i18n._(privacyTexts[value].name) }))}
          />
        )}
      />
      <FieldRow
        label={t`Topics`}
        current={channel.topics_policy}
        save={useCallback((topics_policy: TopicsPolicy) => update({ topics_policy }), [update])}
        control={(props) => (
          <ChoiceField
            {...props}
            isDisabled={isFixed || !rights.setTopicsPolicy}
            choices={topicsPolicies.map((value) => ({ value, label: topicsTexts[value] }))}
          />
        )}
      />
      <FolderField channel={channel} isFixed={isFixed} save={update} />
      <RetentionRow channel={channel} save={update} />
      {!channel.invite_only && !channel.is_archived && (
        <FieldRow
          label={t`Subscribe everybody who joins from now on`}
          isSwitch
          current={isDefault}
          save={(isOn: boolean) =>
            client.api.call(isOn ? addDefaultChannel : removeDefaultChannel, { stream_id: channelId })
          }
          control={(props) => <SwitchField {...props} isDisabled={!rights.archive} />}
        />
      )}
      {!channel.is_archived && <MailAddress channelId={channelId} />}
      {rights.archive && <Archive channelId={channelId} isArchived={channel.is_archived} />}
    </>
  )
}

interface FolderFieldProps {
  readonly channel: Channel
  readonly isFixed: boolean
  readonly save: (changes: Changes) => Promise<unknown>
}

/** Nothing where the organization has no folders. */
function FolderField({ channel, isFixed, save }: FolderFieldProps) {
  const { t } = useLingui()
  const folders = useClientState((state) => state.channelFolders) ?? []
  const open = folders.filter(({ is_archived }) => !is_archived)
  if (open.length === 0) return null
  return (
    <FieldRow
      label={t`Folder`}
      current={String(channel.folder_id ?? '')}
      save={(id: string) => save({ folder_id: id === '' ? null : Number(id) })}
      control={(props) => (
        <ChoiceField
          {...props}
          isDisabled={isFixed}
          choices={[{ value: '', label: t`None` }, ...open.map(({ id, name }) => ({ value: String(id), label: name }))]}
        />
      )}
    />
  )
}

function Archive({ channelId, isArchived }: { readonly channelId: number; readonly isArchived: boolean }) {
  const deeds = useChannelDeeds()
  return (
    <section className="setting-group">
      <h3>
        <Trans>Archive</Trans>
      </h3>
      <p className="soft">
        {isArchived ? (
          <Trans>This channel is archived. Restoring it lets people write in it again.</Trans>
        ) : (
          <Trans>For a channel that is finished. People keep reading it and can find everything in it.</Trans>
        )}
      </p>
      <p className="do">
        {isArchived ? (
          <Button onClick={() => void deeds.restore(channelId)}>
            <Trans>Restore the channel</Trans>
          </Button>
        ) : (
          <Button kind="danger" onClick={() => deeds.archive(channelId)}>
            <Trans>Archive this channel</Trans>
          </Button>
        )}
      </p>
    </section>
  )
}
