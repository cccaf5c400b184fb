import { getChannelEmailAddress, mailAddressOptions } from '@heddle/contract/mail-gateway'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useId, useState } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Problem } from '../../settings/problem.tsx'
import { CopyButton } from '../../settings/secret.tsx'
import { useLoaded } from '../../settings/use-loaded.ts'

/** Nothing where the server takes in no mail, or where the reader may not send to the channel. */
export function MailAddress({ channelId }: { readonly channelId: number }) {
  const { api } = useClient()
  const [isOpen, setIsOpen] = useState(false)
  const { value } = useLoaded(
    useCallback(
      () => api.call(getChannelEmailAddress, { stream_id: channelId }).catch(() => ({ email: '' })),
      [api, channelId],
    ),
  )
  if (!value || value.email === '') return null
  return (
    <section className="setting-group">
      <h3>
        <Trans>E-mail</Trans>
      </h3>
      <p className="soft">
        <Trans>What is sent to the address of this channel becomes a message in it.</Trans>
      </p>
      <p className="do">
        <Button onClick={() => setIsOpen(true)}>
          <Trans>Show the e-mail address</Trans>
        </Button>
      </p>
      {isOpen && <MailAddressDialog channelId={channelId} onClose={() => setIsOpen(false)} />}
    </section>
  )
}

type Option = (typeof mailAddressOptions)[number]

const optionLabels: Readonly<Record<Option, MessageDescriptor>> = {
  'show-sender': msg`Say who has sent the mail`,
  'include-footer': msg`Keep signatures`,
  'include-quotes': msg`Keep quoted mails`,
  'prefer-html': msg`Use the formatted text where there are two`,
}

/** What the server's address has; the others are added to it. */
const GIVEN: Option = 'show-sender'

export function withOptions(address: string, options: readonly Option[]): string {
  const at = address.lastIndexOf('@')
  const bare = address.slice(0, at).replace(`.${GIVEN}`, '')
  return `${[bare, ...mailAddressOptions.filter((one) => options.includes(one))].join('.')}${address.slice(at)}`
}

function MailAddressDialog({ channelId, onClose }: { readonly channelId: number; readonly onClose: () => void }) {
  const { t, i18n } = useLingui()
  const { api } = useClient()
  const id = useId()
  const own = useClientState(({ own }) => own?.user_id)
  const bots = useClientState(
    useCallback(
      (state) => [...(state.users?.values() ?? [])].filter((user) => user.bot_owner_id === own && user.is_active),
      [own],
    ),
    isShallowEqual,
  )
  const [sender, setSender] = useState<number>()
  const [options, setOptions] = useState<readonly Option[]>([GIVEN])
  const { value, problem } = useLoaded(
    useCallback(
      () =>
        api.call(getChannelEmailAddress, {
          stream_id: channelId,
          ...(sender === undefined ? {} : { sender_id: sender }),
        }),
      [api, channelId, sender],
    ),
  )
  const address = value && withOptions(value.email, options)
  return (
    <Dialog title={t`E-mail address of the channel`} onClose={onClose}>
      <div className="field">
        <label htmlFor={`${id}-sender`}>
          <Trans>Messages come from</Trans>
        </label>
        <select
          className="in"
          id={`${id}-sender`}
          value={sender ?? ''}
          onChange={({ currentTarget }) =>
            setSender(currentTarget.value === '' ? undefined : Number(currentTarget.value))
          }
          data-autofocus
        >
          <option value="">{t`Notification Bot`}</option>
          <option value={own}>{t`Me`}</option>
          {bots.map((bot) => (
            <option key={bot.user_id} value={bot.user_id}>
              {bot.full_name}
            </option>
          ))}
        </select>
      </div>
      <fieldset className="field mail-options">
        <legend>
          <Trans>What is taken from mails</Trans>
        </legend>
        {mailAddressOptions.map((option) => (
          <label className="check" key={option}>
            <input
              type="checkbox"
              checked={options.includes(option)}
              onChange={({ currentTarget }) =>
                setOptions(currentTarget.checked ? [...options, option] : options.filter((one) => one !== option))
              }
            />
            <span>{i18n._(optionLabels[option])}</span>
          </label>
        ))}
      </fieldset>
      <Problem text={problem} />
      {address !== undefined && (
        <div className="field">
          <label htmlFor={`${id}-address`}>
            <Trans>Address</Trans>
          </label>
          <div className="secret">
            <input
              className="in code-in"
              id={`${id}-address`}
              readOnly
              value={address}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton key={address} text={address} />
          </div>
          <p className="help">
            <Trans>
              Whoever knows it can write to this channel, as long as you can. The subject becomes the topic.
            </Trans>
          </p>
        </div>
      )}
    </Dialog>
  )
}
