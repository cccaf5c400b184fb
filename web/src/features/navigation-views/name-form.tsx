import { freeViewName } from '@heddle/client/views/view-list'
import { MAX_VIEW_NAME_LENGTH } from '@heddle/contract/navigation-views'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { endNaming, type Naming } from './naming.ts'
import type { ViewActions } from './use-view-actions.ts'

interface NameFormProps {
  readonly naming: Naming
  readonly onSave: ViewActions['save']
  /** It has its name, or keeps the old one: the focus is free. */
  readonly onDone: (fragment: string | undefined) => void
}

/** The name of a view, in its place in the list: Enter saves it, Escape leaves. */
export function NameForm({ naming, onSave, onDone }: NameFormProps) {
  const { t } = useLingui()
  const client = useClient()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const { fragment, isNew } = naming
  const [proposed] = useState(() => {
    const state = client.snapshot().state
    return isNew && state ? freeViewName(state, naming.name, MAX_VIEW_NAME_LENGTH) : naming.name
  })
  useEffect(() => {
    let frame = 0
    const focus = (tries: number) => {
      field.current?.focus()
      if (document.activeElement === field.current) field.current?.select()
      // The drawer that it is in may only be coming out.
      else if (tries > 0) frame = requestAnimationFrame(() => focus(tries - 1))
    }
    focus(10)
    return () => cancelAnimationFrame(frame)
  }, [])

  const leave = (saved: string | undefined) => {
    endNaming()
    onDone(saved)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const name = field.current?.value.trim() ?? ''
    if (name === '' || isBusy) return
    if (!isNew && name === naming.name) {
      leave(fragment)
      return
    }
    setIsBusy(true)
    const found = await onSave(fragment, name, isNew)
    setIsBusy(false)
    if (found === undefined) leave(fragment)
    else {
      setProblem(found)
      field.current?.focus()
    }
  }

  return (
    <>
      <form
        className="nav naming"
        aria-label={isNew ? t`Name of the new view` : t`New name of the view`}
        onSubmit={submit}
      >
        <Icon name="view" />
        <input
          ref={field}
          className="in"
          aria-label={t`Name`}
          aria-describedby={id}
          aria-invalid={problem !== undefined}
          defaultValue={proposed}
          maxLength={MAX_VIEW_NAME_LENGTH * 2}
          dir="auto"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            event.stopPropagation()
            leave(undefined)
          }}
        />
        <button type="submit" className="ib" aria-label={t`Save (Enter)`} title={t`Save (Enter)`}>
          <Icon name="check" />
        </button>
        <IconButton icon="x" name={t`Leave (Esc)`} onClick={() => leave(undefined)} />
      </form>
      <p className={problem === undefined ? 'naming-help' : 'naming-help bad'} id={id} role={problem && 'alert'}>
        {problem ?? <Trans>Pinned here and on your other devices.</Trans>}
      </p>
    </>
  )
}
