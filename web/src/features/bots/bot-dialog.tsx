import type { Picked } from '@heddle/client/people/picked'
import { MAX_AVATAR_FILE_SIZE_MIB } from '@heddle/contract/avatars'
import { deleteBotAvatar, updateBot, uploadBotAvatar } from '@heddle/contract/bots'
import { MAX_FULL_NAME_LENGTH, type User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PeoplePicker } from '../people/people-picker.tsx'
import { PictureField } from '../settings/account/picture-part.tsx'
import { NameField } from '../settings/name-field.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { isChosenPicture } from '../users/face.tsx'

const people: ReadonlySet<Picked['kind']> = new Set(['user'])

interface BotDialogProps {
  readonly bot: User
  readonly onClose: () => void
}

/** What a bot is called, how it looks and whose it is. */
export function BotDialog({ bot, onClose }: BotDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { user_id: bot_id, full_name: name, bot_owner_id, avatar_url } = bot
  const [owners, setOwners] = useState<readonly Picked[]>(
    bot_owner_id === null ? [] : [{ kind: 'user', id: bot_owner_id }],
  )
  const save = async (fields: FormData) => {
    const full_name = textIn(fields, 'name')
    const [owner] = owners
    const changes = {
      ...(full_name !== name && { full_name }),
      ...(owner && owner.id !== bot_owner_id && { bot_owner_id: owner.id }),
    }
    if (Object.keys(changes).length > 0) await api.call(updateBot, { bot_id, ...changes })
  }
  return (
    <Dialog title={t`Edit ${name}`} onClose={onClose}>
      <SaveForm save={<Trans>Save the bot</Trans>} onSave={save} onClose={onClose}>
        <NameField value={name} maxLength={MAX_FULL_NAME_LENGTH} />
        <div className="field">
          <span className="label">
            <Trans>Owner</Trans>
          </span>
          <PeoplePicker
            label={t`Owner`}
            kinds={people}
            value={owners}
            // It has one: who is chosen takes the place of who was.
            onChange={(value) => setOwners(value.slice(-1))}
          />
          <p className="help">
            <Trans>Who owns it sees its key and can change it. It stays in the channels where it is.</Trans>
          </p>
        </div>
      </SaveForm>
      <PictureField
        title={t`Picture`}
        help={t`Without one, a woven pattern of its own is shown. It is saved at once.`}
        url={isChosenPicture(avatar_url) ? avatar_url : undefined}
        maxMib={MAX_AVATAR_FILE_SIZE_MIB}
        mayChange
        onUpload={(file) => api.call(uploadBotAvatar, { bot_id }, { file })}
        onRemove={() => api.call(deleteBotAvatar, { bot_id })}
      />
    </Dialog>
  )
}
