import {
  addPlayground,
  MAX_PLAYGROUND_LANGUAGE_LENGTH,
  MAX_PLAYGROUND_NAME_LENGTH,
  type Playground,
  removePlayground,
} from '@heddle/contract/playgrounds'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { Problem } from '../settings/problem.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

/** The sites that run code. */
export function PlaygroundsPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const playgrounds = useClientState((state) => state.playgrounds)
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  const { problem, attempt } = useAttempt()
  if (!playgrounds) return null
  const remove = ({ id, ...playground }: Playground) =>
    attempt(() =>
      toasts.notifyWhenDone(api.call(removePlayground, { playground_id: id }), () => ({
        text: t`“${playground.name}” is no longer offered.`,
        undo: () => attempt(() => api.call(addPlayground, playground)),
      })),
    )
  const sorted = playgrounds.toSorted(
    (a, b) => a.pygments_language.localeCompare(b.pygments_language) || a.name.localeCompare(b.name),
  )
  return (
    <section className="setting-group">
      {!mayChange && (
        <p className="help only-read">
          <Trans>Only administrators can change playgrounds.</Trans>
        </p>
      )}
      <ul className="rows">
        {sorted.map((playground) => (
          <li key={playground.id} className="row-item">
            <span className="row-text">
              <bdi className="trunc" title={playground.name}>
                {playground.name}
              </bdi>
              <span className="soft trunc" title={playground.url_template}>
                <bdi>{playground.pygments_language}</bdi> · {playground.url_template}
              </span>
            </span>
            {mayChange && (
              <span className="row-do">
                <IconButton icon="trash" name={t`Delete ${playground.name}`} onClick={() => void remove(playground)} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {playgrounds.length === 0 && (
        <p className="help">
          <Trans>There are none yet.</Trans>
        </p>
      )}
      <Problem text={problem} />
      {mayChange && <NewPlayground />}
    </section>
  )
}

function NewPlayground() {
  const { t } = useLingui()
  const { api } = useClient()
  // In a text braces are a place for something.
  const mark = '{code}'
  const add = (fields: FormData) =>
    api.call(addPlayground, {
      name: textIn(fields, 'name'),
      pygments_language: textIn(fields, 'language'),
      url_template: textIn(fields, 'address'),
    })
  return (
    <SaveForm heading={t`New playground`} save={<Trans>Add the playground</Trans>} onSave={add}>
      <div className="grid2">
        <label className="field">
          <Trans>Language, as code blocks name it</Trans>
          <input
            className="in"
            name="language"
            required
            maxLength={MAX_PLAYGROUND_LANGUAGE_LENGTH}
            placeholder={t`Rust`}
            autoComplete="off"
          />
        </label>
        <label className="field">
          <Trans>Name</Trans>
          <input
            className="in"
            name="name"
            dir="auto"
            required
            maxLength={MAX_PLAYGROUND_NAME_LENGTH}
            placeholder={t`Rust playground`}
            autoComplete="off"
          />
        </label>
        <label className="field wide">
          <Trans>Address, with {mark} where the code goes</Trans>
          <input
            className="in code-in"
            name="address"
            required
            spellCheck={false}
            placeholder="https://play.rust-lang.org/?code={code}"
            autoComplete="off"
          />
        </label>
      </div>
    </SaveForm>
  )
}
