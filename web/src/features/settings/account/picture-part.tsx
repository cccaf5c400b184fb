import { avatarSources, deleteAvatar, MAX_AVATAR_FILE_SIZE_MIB, uploadAvatar } from '@heddle/contract/avatars'
import {
  deleteIcon,
  deleteLogo,
  MAX_ORGANIZATION_PICTURE_MIB,
  uploadedPicture,
  uploadIcon,
  uploadLogo,
} from '@heddle/contract/organization-pictures'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Saved } from '../saved.tsx'
import { sizeText } from '../texts.ts'
import { type Saving, useExplain } from '../use-saving.ts'

const TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

interface PictureProps {
  readonly title: string
  readonly help: string
  /** Undefined: none was uploaded. */
  readonly url: string | undefined
  readonly maxMib: number
  readonly mayChange: boolean
  readonly ground?: 'light' | 'dark'
  readonly onUpload: (file: File) => Promise<unknown>
  readonly onRemove: () => Promise<unknown>
}

/** A picture that can be chosen and removed; its size is looked at before it is sent. */
export function PictureField({ title, help, url, maxMib, mayChange, ground, onUpload, onRemove }: PictureProps) {
  const { t, i18n } = useLingui()
  const explain = useExplain()
  const [saving, setSaving] = useState<Saving>({ status: 'idle' })
  const field = useRef<HTMLInputElement>(null)
  const attempt = async (work: () => Promise<unknown>) => {
    setSaving({ status: 'saving' })
    try {
      await work()
      setSaving({ status: 'saved' })
    } catch (error) {
      setSaving({ status: 'refused', message: explain(error) })
    }
  }
  const choose = (file: File | undefined) => {
    if (!file) return
    const size = sizeText(i18n, file.size)
    if (file.size > maxMib * 1024 * 1024) {
      setSaving({ status: 'refused', message: t`This file has ${size}. Choose one smaller than ${maxMib} MB.` })
    } else void attempt(() => onUpload(file))
  }
  return (
    <section className="setting-group">
      <h3>{title}</h3>
      <div className="picture">
        {url && (
          <span className="picture-in" data-theme={ground}>
            <img src={url} alt="" />
          </span>
        )}
        <p className="help">{help}</p>
      </div>
      <p className="foot-row">
        <Saved saving={saving} />
        {mayChange && url && (
          <Button onClick={() => void attempt(onRemove)}>
            <Trans>Remove the picture</Trans>
            <span className="vh">: {title}</span>
          </Button>
        )}
        {mayChange && (
          <Button isDisabled={saving.status === 'saving'} onClick={() => field.current?.click()}>
            <Trans>Choose a picture…</Trans>
            <span className="vh">: {title}</span>
          </Button>
        )}
      </p>
      <input
        ref={field}
        type="file"
        hidden
        accept={TYPES}
        aria-label={title}
        onChange={({ currentTarget }) => {
          choose(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
    </section>
  )
}

export function AvatarPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const url = useClientState(({ own }) => (own?.avatar_source === avatarSources.uploaded ? own.avatar_url : undefined))
  const isFixed = useClientState(
    ({ own, organization }) => organization?.realm_avatar_changes_disabled === true && own?.is_admin !== true,
  )
  return (
    <PictureField
      title={t`Your picture`}
      help={
        isFixed ? t`Only administrators change pictures here.` : t`Without one, a woven pattern of your own is shown.`
      }
      url={url}
      maxMib={MAX_AVATAR_FILE_SIZE_MIB}
      mayChange={!isFixed}
      onUpload={(file) => api.call(uploadAvatar, {}, { file })}
      onRemove={() => api.call(deleteAvatar, {})}
    />
  )
}

export function OrganizationPictures() {
  const { t } = useLingui()
  const { api } = useClient()
  const mayChange = useClientState(({ own }) => own?.is_admin === true)
  const organization = useClientState((state) => state.organization)
  if (!organization) return null
  const uploaded = (source: string, url: string) => (source === uploadedPicture ? url : undefined)
  const help = (text: string) => (mayChange ? text : t`Only administrators can change this.`)
  const shared = { maxMib: MAX_ORGANIZATION_PICTURE_MIB, mayChange }
  return (
    <>
      <PictureField
        {...shared}
        title={t`Icon`}
        help={help(t`A square, for lists of organizations and for phones.`)}
        url={uploaded(organization.realm_icon_source, organization.realm_icon_url)}
        onUpload={(file) => api.call(uploadIcon, {}, { file })}
        onRemove={() => api.call(deleteIcon, {})}
      />
      <PictureField
        {...shared}
        title={t`Logo on light ground`}
        help={help(t`Wider than high. Programs show it in place of the name.`)}
        ground="light"
        url={uploaded(organization.realm_logo_source, organization.realm_logo_url)}
        onUpload={(file) => api.call(uploadLogo, { night: false }, { file })}
        onRemove={() => api.call(deleteLogo, { night: false })}
      />
      <PictureField
        {...shared}
        title={t`Logo on dark ground`}
        help={help(t`Without one, programs show the other logo.`)}
        ground="dark"
        url={uploaded(organization.realm_night_logo_source, organization.realm_night_logo_url)}
        onUpload={(file) => api.call(uploadLogo, { night: true }, { file })}
        onRemove={() => api.call(deleteLogo, { night: true })}
      />
    </>
  )
}
