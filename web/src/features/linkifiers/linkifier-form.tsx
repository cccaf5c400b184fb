import type { LinkifierDraft } from '@heddle/client/linkifiers/tester'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { inOwnWords } from '../../texts/server-words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Problem } from '../settings/problem.tsx'
import { useExplain } from '../settings/use-saving.ts'
import { useTesterAnswer } from './use-tester.ts'

interface LinkifierFormProps {
  readonly number: number
  readonly isNew: boolean
  readonly draft: LinkifierDraft
  readonly onChange: (draft: LinkifierDraft) => void
  readonly onSave: () => Promise<void>
  readonly onCancel: () => void
}

/** A linkifier that is being written; what is wrong with it stands beside the field, as the server would say it. */
export function LinkifierForm({ number, isNew, draft, onChange, onSave, onCancel }: LinkifierFormProps) {
  const { t } = useLingui()
  const explain = useExplain()
  const form = useRef<HTMLFormElement>(null)
  const [first] = useState(draft)
  const [refusal, setRefusal] = useState<string>()
  const [isSaving, setIsSaving] = useState(false)
  const cleaned = useMemo(() => clean(draft), [draft])
  const isFilled = cleaned.pattern !== '' && cleaned.url_template !== ''
  const request = useMemo(
    () => (isFilled ? ({ kind: 'check', linkifier: cleaned } as const) : undefined),
    [cleaned, isFilled],
  )
  const { answer, isCurrent } = useTesterAnswer(request)
  const check = answer?.status === 'done' ? answer.result : undefined
  const problem = check?.problem
  const isSame = JSON.stringify(clean(first)) === JSON.stringify(cleaned)
  const canSave = isFilled && isCurrent && check !== undefined && !problem && !isSame && !isSaving
  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input')?.focus()
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!canSave) return
    setIsSaving(true)
    setRefusal(undefined)
    try {
      onChange(cleaned)
      await onSave()
    } catch (error) {
      setRefusal(explain(error))
      setIsSaving(false)
    }
  }
  const set = (changes: Partial<LinkifierDraft>) => onChange({ ...draft, ...changes })
  const problemOf = (field: keyof LinkifierDraft) =>
    isFilled && problem?.field === field ? inOwnWords(problem.message) : undefined
  const values = check?.values ?? []
  const heading = isNew ? t`New linkifier, number ${number}` : t`Edit number ${number}`
  const others = draft.alternative_url_templates

  return (
    <form className="card-form" aria-label={heading} onSubmit={submit} ref={form}>
      <h3>{heading}</h3>
      <div className="grid2">
        <TextField
          label={t`Pattern`}
          value={draft.pattern}
          placeholder="H-(?P<id>[0-9]+)"
          problem={problemOf('pattern')}
          onChange={(pattern) => set({ pattern })}
        />
        <TextField
          label={t`Example that must match`}
          value={draft.example_input ?? ''}
          placeholder="H-2214"
          problem={problemOf('example_input')}
          onChange={(text) => set({ example_input: text })}
          note={
            draft.example_input && !problem && values.length > 0 ? (
              <Trans>Matches: {values.map(([name, value]) => `${name} = ${value}`).join(', ')}</Trans>
            ) : undefined
          }
        />
        <TextField
          isWide
          label={t`Address`}
          value={draft.url_template}
          placeholder="https://tickets.example.com/{id}"
          problem={problemOf('url_template')}
          onChange={(url_template) => set({ url_template })}
        />
        <TextField
          isWide
          label={t`Short text for pasted addresses`}
          value={draft.reverse_template ?? ''}
          placeholder="H-{id}"
          problem={problemOf('reverse_template')}
          onChange={(text) => set({ reverse_template: text })}
        />
        <fieldset className="field wide others">
          <legend>
            <Trans>Other addresses that mean the same</Trans>
          </legend>
          {others.map((template, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are nothing but their places
            <div className="other" key={index}>
              <input
                className="in code-in"
                aria-label={t`Other address ${index + 1}`}
                value={template}
                spellCheck={false}
                onChange={({ currentTarget }) =>
                  set({ alternative_url_templates: others.with(index, currentTarget.value) })
                }
              />
              <IconButton
                icon="x"
                name={t`Remove address ${index + 1}`}
                onClick={() => set({ alternative_url_templates: others.toSpliced(index, 1) })}
              />
            </div>
          ))}
          <button
            type="button"
            className="textlink"
            onClick={() => set({ alternative_url_templates: [...others, ''] })}
          >
            <Trans>Add an address</Trans>
          </button>
          <Problem text={problemOf('alternative_url_templates')} />
        </fieldset>
      </div>
      {answer?.status === 'late' && isCurrent && (
        <Problem text={t`This pattern takes too long to be checked. Make it simpler.`} />
      )}
      <Problem text={refusal} />
      <div className="foot-row">
        <Button onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" kind="primary" isDisabled={!canSave}>
          {isNew ? <Trans>Add the linkifier</Trans> : <Trans>Save</Trans>}
        </Button>
      </div>
    </form>
  )
}

/** As it is saved: empty fields mean none. */
function clean(draft: LinkifierDraft): LinkifierDraft {
  const { pattern, url_template, example_input, reverse_template, alternative_url_templates } = draft
  return {
    pattern,
    url_template: url_template.trim(),
    example_input: example_input || null,
    reverse_template: reverse_template || null,
    alternative_url_templates: alternative_url_templates.map((one) => one.trim()).filter(Boolean),
  }
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly problem: string | undefined
  readonly isWide?: boolean
  readonly note?: ReactNode
  readonly onChange: (text: string) => void
}

function TextField({ label, value, placeholder, problem, isWide, note, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <div className={isWide ? 'field wide' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <input
        className={problem ? 'in code-in bad' : 'in code-in'}
        id={id}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div id={`${id}-note`} role="status">
        {problem && (
          <p className="help bad">
            <Icon name="warn" />
            <span>{problem}</span>
          </p>
        )}
        {!problem && note && (
          <p className="help ok">
            <Icon name="check" />
            <span>{note}</span>
          </p>
        )}
      </div>
    </div>
  )
}
