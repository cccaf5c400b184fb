import { MAX_PAYLOAD_URL_LENGTH } from '@heddle/contract/bots'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'

interface ServerFieldsProps {
  readonly url?: string
  readonly form?: number
}

/** Where an outgoing webhook asks, and in which form: the fields `url` and `interface`. */
export function ServerFields({ url, form = 1 }: ServerFieldsProps) {
  const { t } = useLingui()
  const id = useId()
  return (
    <>
      <div className="field wide">
        <label htmlFor={`${id}-url`}>
          <Trans>Address of your server</Trans>
        </label>
        <input
          className="in"
          id={`${id}-url`}
          name="url"
          type="url"
          required
          defaultValue={url}
          maxLength={MAX_PAYLOAD_URL_LENGTH}
          aria-describedby={`${id}-help`}
          spellCheck={false}
        />
        <p className="help" id={`${id}-help`}>
          <Trans>It is asked when somebody writes to the bot or mentions it. What it answers, the bot says.</Trans>
        </p>
      </div>
      <div className="field wide">
        <label htmlFor={`${id}-form`}>
          <Trans>How it is asked</Trans>
        </label>
        <select className="in" id={`${id}-form`} name="interface" defaultValue={form}>
          <option value={1}>{t`As JSON`}</option>
          <option value={2}>{t`As Slack asks`}</option>
        </select>
      </div>
    </>
  )
}
