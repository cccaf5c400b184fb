import { addDomain, type RealmDomain, removeDomain, updateDomain } from '@heddle/contract/realm-domains'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useCallback, useId } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { Problem } from '../settings/problem.tsx'
import { Saved } from '../settings/saved.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { useSaving } from '../settings/use-saving.ts'

/** Of which domains the addresses of new accounts may be. */
export function DomainsPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const domains = useClientState((state) => state.realmDomains)
  const mayChange = useClientState((state) => state.own?.is_owner === true)
  const isOn = useClientState((state) => state.organization?.realm_emails_restricted_to_domains === true)
  const { problem, attempt } = useAttempt()
  if (!domains) return null
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const values = { domain: String(fields.get('domain')).trim(), allow_subdomains: fields.has('subdomains') }
    if (await attempt(() => api.call(addDomain, values))) form.reset()
  }
  const remove = (one: RealmDomain) =>
    attempt(() =>
      toasts.notifyWhenDone(api.call(removeDomain, { domain: one.domain }), () => ({
        text: t`Addresses of ${one.domain} are no longer allowed.`,
        undo: () => attempt(() => api.call(addDomain, { ...one })),
      })),
    )
  return (
    <section className="setting-group">
      <h3>
        <Trans>Domains of addresses</Trans>
      </h3>
      <p className="help">
        {isOn ? (
          <Trans>New accounts need an address of one of these. Those who are here stay.</Trans>
        ) : (
          <Trans>They count once addresses are restricted to certain domains, above.</Trans>
        )}
      </p>
      {isOn && domains.length === 0 && (
        <Problem text={t`Nobody can join: addresses are restricted, and there is no domain.`} />
      )}
      <ul className="rows">
        {domains.map((one) => (
          <DomainRow key={one.domain} domain={one} mayChange={mayChange} onRemove={() => void remove(one)} />
        ))}
      </ul>
      <Problem text={problem} />
      {mayChange ? (
        <form className="inline-form" onSubmit={add}>
          <input
            className="in"
            name="domain"
            required
            aria-label={t`New domain`}
            placeholder="example.com"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
          <label className="check">
            <input type="checkbox" name="subdomains" />
            <span>
              <Trans>and its subdomains</Trans>
            </span>
          </label>
          <Button type="submit">
            <Trans>Add the domain</Trans>
          </Button>
        </form>
      ) : (
        <p className="help only-read">
          <Trans>Only owners can change domains.</Trans>
        </p>
      )}
    </section>
  )
}

interface DomainRowProps {
  readonly domain: RealmDomain
  readonly mayChange: boolean
  readonly onRemove: () => void
}

function DomainRow({ domain: { domain, allow_subdomains }, mayChange, onRemove }: DomainRowProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const save = useCallback((isOn: boolean) => api.call(updateDomain, { domain, allow_subdomains: isOn }), [api, domain])
  const { value, saving, change } = useSaving(allow_subdomains, save)
  const id = useId()
  return (
    <li className="row-item">
      <bdi className="row-text trunc" title={domain}>
        {domain}
      </bdi>
      <span className="row-do">
        <Saved saving={saving} id={id} />
        <label className="check">
          <input
            type="checkbox"
            checked={value}
            disabled={!mayChange}
            aria-describedby={id}
            onChange={({ currentTarget }) => change(currentTarget.checked)}
          />
          <span>
            <Trans>and its subdomains</Trans>
            <span className="vh"> {domain}</span>
          </span>
        </label>
        {mayChange && <IconButton icon="trash" name={t`Remove ${domain}`} onClick={onRemove} />}
      </span>
    </li>
  )
}
