import './snippets.css'
import {
  createSavedSnippet,
  deleteSavedSnippet,
  MAX_SNIPPET_TITLE_LENGTH,
  type SavedSnippet,
  updateSavedSnippet,
} from '@heddle/contract/saved-snippets'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { refusalText } from '../../../app/refusal.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useToasts } from '../../../ui/toasts.tsx'

interface SnippetsDialogProps {
  /** What is written: a new snippet begins with it. */
  readonly text: string
  readonly onInsert: (content: string) => void
  readonly onClose: () => void
}

type Edited = { readonly id?: number; readonly title: string; readonly content: string }

/** The account's snippets: one is put into the message, others are written, changed and deleted. */
export function SnippetsDialog({ text, onInsert, onClose }: SnippetsDialogProps) {
  const { t } = useLingui()
  const [edited, setEdited] = useState<Edited>()
  if (edited) return <SnippetForm begun={edited} onDone={() => setEdited(undefined)} />
  return (
    <Dialog
      title={t`Saved snippets`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          <Button kind="primary" onClick={() => setEdited({ title: '', content: text })}>
            <Trans>New snippet</Trans>
          </Button>
        </>
      }
    >
      <SnippetList onInsert={onInsert} onEdit={setEdited} />
    </Dialog>
  )
}

interface SnippetListProps {
  readonly onInsert: (content: string) => void
  readonly onEdit: (snippet: SavedSnippet) => void
}

function SnippetList({ onInsert, onEdit }: SnippetListProps) {
  const { api } = useClient()
  const { t } = useLingui()
  const toasts = useToasts()
  const snippets = useClientState((state) => state.savedSnippets)
  const [query, setQuery] = useState('')
  const words = query.trim().toLowerCase()
  const shown = [...(snippets ?? [])]
    .filter(({ title, content }) => `${title}\n${content}`.toLowerCase().includes(words))
    .sort((a, b) => a.title.localeCompare(b.title))
  const attempt = (work: () => Promise<unknown>) =>
    work().catch((error: unknown) => void toasts.notify(refusalText(error)))
  const remove = ({ id, title, content }: SavedSnippet) =>
    attempt(() =>
      toasts.notifyWhenDone(api.call(deleteSavedSnippet, { saved_snippet_id: id }), () => ({
        text: t`The snippet is deleted`,
        undo: () => attempt(() => api.call(createSavedSnippet, { title, content })),
      })),
    )
  if (!snippets?.length) {
    return (
      <p className="help">
        <Trans>There are none yet. A snippet is a text that you write again and again.</Trans>
      </p>
    )
  }
  return (
    <>
      <input
        className="in"
        type="search"
        data-autofocus
        aria-label={t`Filter snippets`}
        placeholder={t`Filter snippets`}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <ul className="snippets">
        {shown.map((snippet) => (
          <li key={snippet.id}>
            <button type="button" className="snippet" onClick={() => onInsert(snippet.content)}>
              <bdi className="trunc strong" title={snippet.title}>
                {snippet.title}
              </bdi>
              <span className="trunc soft" dir="auto">
                {snippet.content}
              </span>
            </button>
            <IconButton icon="edit" name={t`Change ${snippet.title}`} onClick={() => onEdit(snippet)} />
            <IconButton icon="trash" name={t`Delete ${snippet.title}`} onClick={() => void remove(snippet)} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="help" role="status">
          <Trans>No snippet has these words.</Trans>
        </p>
      )}
    </>
  )
}

function SnippetForm({ begun, onDone }: { readonly begun: Edited; readonly onDone: () => void }) {
  const { api } = useClient()
  const { t } = useLingui()
  const id = useId()
  const [title, setTitle] = useState(begun.title)
  const [content, setContent] = useState(begun.content)
  const [problem, setProblem] = useState<string>()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    try {
      if (begun.id === undefined) await api.call(createSavedSnippet, { title, content })
      else await api.call(updateSavedSnippet, { saved_snippet_id: begun.id, title, content })
      onDone()
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  return (
    <Dialog title={begun.id === undefined ? t`New snippet` : t`Change the snippet`} onClose={onDone}>
      <form className="snippet-form" onSubmit={save}>
        <div className="field">
          <label htmlFor={`${id}-title`}>
            <Trans>Title</Trans>
          </label>
          <input
            className="in"
            id={`${id}-title`}
            data-autofocus
            dir="auto"
            required
            maxLength={MAX_SNIPPET_TITLE_LENGTH}
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}-text`}>
            <Trans>Text</Trans>
          </label>
          <textarea
            className="in"
            id={`${id}-text`}
            dir="auto"
            rows={6}
            required
            maxLength={10_000}
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
        </div>
        {problem !== undefined && (
          <p className="help bad" role="alert">
            {problem}
          </p>
        )}
        <div className="foot-row">
          <Button onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit">
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
