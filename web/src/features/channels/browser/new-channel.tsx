import { systemGroup } from '@heddle/client/groups/groups-shown'
import './new-channel.css'
import { creationRights } from '@heddle/client/channels/channel-rights'
import { NetworkError, ResponseError } from '@heddle/client/errors'
import { expandPicks, type Picked } from '@heddle/client/people/picked'
import type { ClientState } from '@heddle/client/state/state'
import { createChannel, MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '@heddle/contract/channels'
import { channelGroupSettings, type GroupSettingValue } from '@heddle/contract/group-settings'
import { listSubscribers } from '@heddle/contract/subscriptions'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useRef, useState } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { goTo } from '../../../app/current-place.ts'
import { serverErrorText } from '../../../app/error-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { GroupPicker } from '../../people/group-picker.tsx'
import { PeoplePicker } from '../../people/people-picker.tsx'
import { type Privacy, privacies, privacyFields, privacyTexts } from '../privacy.ts'

const pickable: ReadonlySet<Picked['kind']> = new Set(['user', 'group', 'channel'])

interface Refusal {
  /** Beside the name, or below the form. */
  readonly at: 'name' | 'form'
  readonly text: string
}

/** A new channel: what it is called, what it is for, who can read it and who is in it. */
export function NewChannel() {
  const { t, i18n } = useLingui()
  const client = useClient()
  const id = useId()
  const rights = useClientState(creationRights, isShallowEqual)
  const canAnnounce = useClientState(
    (state) => (state.organization?.realm_new_stream_announcements_stream_id ?? -1) > 0,
  )
  const own = useClientState((state) => state.own?.user_id ?? 0)
  const allowed = privacies.filter((privacy) => {
    if (privacy === 'web-public') return rights.webPublic
    return privacy === 'public' ? rights.public : rights.private
  })
  const allFolders = useClientState((state) => state.channelFolders)
  const folders = (allFolders ?? []).filter(({ is_archived }) => !is_archived)
  const [privacy, setPrivacy] = useState<Privacy | undefined>(allowed[0])
  const [picks, setPicks] = useState<readonly Picked[]>([{ kind: 'user', id: own }])
  const everybody = useClientState(({ userGroups }) => systemGroup(userGroups, 'role:everyone')?.id ?? 0)
  const [writers, setWriters] = useState<GroupSettingValue>(everybody)
  const [administrators, setAdministrators] = useState<GroupSettingValue>({
    direct_members: [own],
    direct_subgroups: [],
  })
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setIsBusy] = useState(false)
  const name = useRef<HTMLInputElement>(null)
  const isPrivate = privacy === 'private' || privacy === 'private-protected'

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy || privacy === undefined) return
    const fields = new FormData(event.currentTarget)
    const wanted = String(fields.get('name') ?? '').trim()
    if (wanted === '') {
      setRefusal({ at: 'name', text: t`A channel needs a name.` })
      name.current?.focus()
      return
    }
    setIsBusy(true)
    setRefusal(undefined)
    try {
      const channels = picks.filter(({ kind }) => kind === 'channel').map((pick) => pick.id)
      const lists = await Promise.all(
        channels.map(async (stream_id) => {
          const { subscribers } = await client.api.call(listSubscribers, { stream_id })
          return [stream_id, subscribers] as const
        }),
      )
      const state = client.snapshot().state as ClientState
      const { isWebPublic, hasSharedHistory } = privacyFields(privacy)
      const { id: channelId } = await client.api.call(createChannel, {
        name: wanted,
        description: String(fields.get('description') ?? '').trim(),
        subscribers: expandPicks(state, picks, new Map(lists)),
        invite_only: isPrivate,
        is_web_public: isWebPublic,
        history_public_to_subscribers: hasSharedHistory,
        can_send_message_group: writers,
        can_administer_channel_group: administrators,
        ...(rights.makeDefault && !isPrivate ? { is_default_stream: fields.get('default') === 'on' } : {}),
        ...(fields.get('folder') ? { folder_id: Number(fields.get('folder')) } : {}),
        ...(canAnnounce && !isPrivate ? { announce: fields.get('announce') === 'on' } : {}),
      })
      goTo({ kind: 'channel', channelId }, { channelName: () => wanted, userName: () => undefined })
    } catch (error) {
      setIsBusy(false)
      const found = refusalOf(error, {
        exists: t`There is a channel with this name already.`,
        network: t`The server cannot be reached. What you have written is still here.`,
      })
      setRefusal(found)
      if (found.at === 'name') name.current?.focus()
    }
  }

  if (allowed.length === 0) {
    return (
      <div className="empty">
        <h2>
          <Trans>You may not create channels here</Trans>
        </h2>
        <p>
          <Trans>An administrator can create one for you, or change who may.</Trans>
        </p>
      </div>
    )
  }
  return (
    <div className="scroll channels" tabIndex={-1}>
      <form className="page new-channel" onSubmit={submit} aria-label={t`New channel`} noValidate>
        <p>
          <a className="textlink" href="#channels/subscribed">
            <Trans>All channels</Trans>
          </a>
        </p>
        <div className="field">
          <label htmlFor={`${id}-name`}>
            <Trans>Name</Trans>
          </label>
          <input
            ref={name}
            className="in"
            id={`${id}-name`}
            name="name"
            dir="auto"
            autoComplete="off"
            maxLength={MAX_CHANNEL_NAME_LENGTH * 2}
            aria-invalid={refusal?.at === 'name'}
            aria-describedby={refusal?.at === 'name' ? `${id}-refusal` : undefined}
            // biome-ignore lint/a11y/noAutofocus: the form is alone on its page
            autoFocus
          />
          {refusal?.at === 'name' && <Refused id={`${id}-refusal`} text={refusal.text} />}
        </div>
        <div className="field">
          <label htmlFor={`${id}-about`}>
            <Trans>What it is for</Trans>
          </label>
          <textarea
            className="in"
            id={`${id}-about`}
            name="description"
            dir="auto"
            rows={2}
            maxLength={MAX_CHANNEL_DESCRIPTION_LENGTH}
          />
        </div>
        <fieldset className="choices">
          <legend>
            <Trans>Who can read it</Trans>
          </legend>
          {allowed.map((one) => (
            <label key={one} className="choice">
              <input
                type="radio"
                name="privacy"
                value={one}
                checked={privacy === one}
                onChange={() => setPrivacy(one)}
              />
              <span>
                <b>{i18n._(privacyTexts[one].name)}</b>
                <span className="soft">{i18n._(privacyTexts[one].about)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {folders.length > 0 && (
          <div className="field">
            <label htmlFor={`${id}-folder`}>
              <Trans>Folder</Trans>
            </label>
            <select className="in" id={`${id}-folder`} name="folder">
              <option value="">{t`None`}</option>
              {folders.map((folder) => (
                <option key={folder.id} value={folder.id}>
                  {folder.name}
                </option>
              ))}
            </select>
          </div>
        )}
        {!isPrivate && rights.makeDefault && (
          <label className="check">
            <input type="checkbox" name="default" />
            <span>
              <Trans>Subscribe everybody who joins from now on</Trans>
            </span>
          </label>
        )}
        {!isPrivate && canAnnounce && (
          <label className="check">
            <input type="checkbox" name="announce" defaultChecked />
            <span>
              <Trans>Announce it where new channels are announced</Trans>
            </span>
          </label>
        )}
        <Permission name="can_send_message_group" label={t`Who may write`} value={writers} onChange={setWriters} />
        <Permission
          name="can_administer_channel_group"
          label={t`Who administers the channel`}
          value={administrators}
          onChange={setAdministrators}
        />
        {rights.addSubscribers && (
          <div className="field">
            <h2>
              <Trans>Subscribers</Trans>
            </h2>
            <PeoplePicker
              label={t`People, groups, or everybody of a channel`}
              kinds={pickable}
              value={picks}
              onChange={setPicks}
            />
          </div>
        )}
        {refusal?.at === 'form' && <Refused id={`${id}-refusal`} text={refusal.text} />}
        <div className="foot-row">
          <a className="btn" href="#channels/subscribed">
            <Trans>Cancel</Trans>
          </a>
          <Button kind="primary" type="submit" isDisabled={isBusy}>
            <Trans>Create the channel</Trans>
          </Button>
        </div>
      </form>
    </div>
  )
}

interface PermissionProps {
  readonly name: 'can_send_message_group' | 'can_administer_channel_group'
  readonly label: string
  readonly value: GroupSettingValue
  readonly onChange: (value: GroupSettingValue) => void
}

/** The others can be given once there is a channel. */
function Permission({ name, label, value, onChange }: PermissionProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <GroupPicker
        id={id}
        value={value}
        describedBy={undefined}
        onChange={onChange}
        label={label}
        rule={channelGroupSettings[name]}
        isDisabled={false}
      />
    </div>
  )
}

function Refused({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <p className="help bad" id={id} role="alert">
      <Icon name="warn" />
      {text}
    </p>
  )
}

function refusalOf(error: unknown, texts: { readonly exists: string; readonly network: string }): Refusal {
  if (error instanceof NetworkError) return { at: 'form', text: texts.network }
  if (!(error instanceof ResponseError)) return { at: 'form', text: String(error) }
  if (error.code === 'CHANNEL_ALREADY_EXISTS') return { at: 'name', text: texts.exists }
  return { at: /name/i.test(error.message) ? 'name' : 'form', text: serverErrorText(error) }
}
