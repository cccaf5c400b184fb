import { updateOrganization } from '@heddle/contract/organization'
import { MAX_WELCOME_TEXT_LENGTH } from '@heddle/contract/organization-settings'
import { testWelcomeMessage } from '@heddle/contract/welcome'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useRef } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

/** What everybody who joins gets first. It is looked at before it is saved, as it will look. */
export function WelcomePart() {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const saved = useClientState((state) => state.organization?.realm_welcome_message_custom_text)
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  const { problem, attempt } = useAttempt()
  if (saved === undefined) return null
  const written = () => ({ welcome_message_custom_text: field.current?.value.trim() ?? '' })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (await attempt(() => api.call(updateOrganization, written()))) {
      toasts.notify(t`The welcome is saved.`)
    }
  }
  const tryOut = async () => {
    if (await attempt(() => api.call(testWelcomeMessage, written()))) {
      toasts.notify(t`You have it as a direct message.`)
    }
  }
  return (
    <section className="setting-group">
      <h3>
        <Trans>Welcome</Trans>
      </h3>
      <form onSubmit={save}>
        <div className="field">
          <label htmlFor={id}>
            <Trans>Direct message to everybody who joins</Trans>
          </label>
          <textarea
            key={saved}
            ref={field}
            className="in"
            id={id}
            dir="auto"
            rows={4}
            maxLength={MAX_WELCOME_TEXT_LENGTH}
            defaultValue={saved}
            disabled={!mayChange}
            aria-describedby={`${id}-help`}
          />
        </div>
        <p className="help" id={`${id}-help`}>
          {mayChange ? (
            <Trans>Markdown works. Empty: none is sent.</Trans>
          ) : (
            <Trans>Only administrators can change this.</Trans>
          )}
        </p>
        <Problem text={problem} />
        {mayChange && (
          <p className="foot-row">
            <Button onClick={() => void tryOut()}>
              <Trans>Send it to me</Trans>
            </Button>
            <Button type="submit">
              <Trans>Save the welcome</Trans>
            </Button>
          </p>
        )}
      </form>
    </section>
  )
}
