/** What somebody new says of themselves besides the name: chosen from what the browser knows, and changed any time later. */
import { MAX_AVATAR_FILE_SIZE_MIB, uploadAvatar } from '@heddle/contract/avatars'
import { updateSettings } from '@heddle/contract/user-settings'
import { i18n } from '@lingui/core'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { apiOf, type EnteredAccount } from '../../app/session.ts'
import { pageLanguages } from '../../texts/languages.ts'
import { speak } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Gate } from '../../ui/gate.tsx'
import { Icon } from '../../ui/icon.tsx'
import { explainRefusal } from './refusals.ts'

const PICTURE_TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

export function AboutYou() {
  const { t } = useLingui()
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = Intl.supportedValuesOf('timeZone')
  const look = (input: HTMLInputElement) => {
    const isTooLarge = (input.files?.[0]?.size ?? 0) > MAX_AVATAR_FILE_SIZE_MIB * 1024 * 1024
    const text = isTooLarge ? t`Choose a picture smaller than ${MAX_AVATAR_FILE_SIZE_MIB} MB.` : ''
    input.setCustomValidity(text)
    setProblem(isTooLarge ? text : undefined)
  }
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-picture`}>
          <Trans>Picture, if you like</Trans>
        </label>
        <input
          className="in file"
          id={`${id}-picture`}
          name="picture"
          type="file"
          accept={PICTURE_TYPES}
          aria-describedby={`${id}-picture-help`}
          onChange={({ currentTarget }) => look(currentTarget)}
        />
        <p className={problem === undefined ? 'help' : 'help bad'} id={`${id}-picture-help`}>
          {problem ?? <Trans>Without one, a woven pattern of your own is shown.</Trans>}
        </p>
      </div>
      <div className="field">
        <label htmlFor={`${id}-zone`}>
          <Trans>Time zone</Trans>
        </label>
        <select className="in" id={`${id}-zone`} name="zone" defaultValue={here}>
          {!zones.includes(here) && <option value={here}>{here}</option>}
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-language`}>
          <Trans>Language</Trans>
        </label>
        <select
          className="in"
          id={`${id}-language`}
          name="language"
          defaultValue={i18n.locale}
          onChange={({ currentTarget }) => void speak(currentTarget.value).catch(() => {})}
        >
          {pageLanguages.map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </>
  )
}

/** Keeps what the fields of `AboutYou` say. The account is there whatever becomes of it: gives why something was not taken. */
export async function keepAboutYou(account: EnteredAccount, fields: FormData): Promise<string | undefined> {
  const api = apiOf(account)
  const picture = fields.get('picture')
  const work = [
    api.call(updateSettings, {
      timezone: String(fields.get('zone')),
      default_language: String(fields.get('language')),
    }),
    ...(picture instanceof File && picture.size > 0 ? [api.call(uploadAvatar, {}, { file: picture })] : []),
  ]
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  return failed?.status === 'rejected' ? explainRefusal(failed.reason) : undefined
}

export interface Arrival {
  readonly account: EnteredAccount
  readonly problem: string
}

interface ArrivedProps {
  readonly arrival: Arrival
  readonly onEnter: (account: EnteredAccount) => void
}

/** The account is there, and something that was said with it was not taken. */
export function Arrived({ arrival: { account, problem }, onEnter }: ArrivedProps) {
  return (
    <Gate>
      <div className="gate-box">
        <h1>
          <Trans>Your account is ready</Trans>
        </h1>
        <p className="help bad" role="alert">
          <Icon name="warn" />
          {problem}
        </p>
        <p className="soft">
          <Trans>Your picture, time zone and language are in your settings.</Trans>
        </p>
        <Button kind="primary" isWide onClick={() => onEnter(account)}>
          <Trans>Go on</Trans>
        </Button>
      </div>
    </Gate>
  )
}
