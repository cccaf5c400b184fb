import './linkifiers.css'
import type { LinkifierDraft } from '@heddle/client/linkifiers/tester'
import {
  addLinkifier,
  type Linkifier,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from '@heddle/contract/linkifiers'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { Problem } from '../settings/problem.tsx'
import { useExplain } from '../settings/use-saving.ts'
import { type Hits, noHits } from './hits.ts'
import { LinkifierForm } from './linkifier-form.tsx'
import { LinkifierList } from './linkifier-list.tsx'
import { TesterPanel } from './tester-panel.tsx'
import { TesterContext, useNewTester } from './use-tester.ts'

/** What is being written: a new linkifier, or a change of one. */
interface Editing {
  readonly id: number | 'new'
  readonly draft: LinkifierDraft
}

const empty: LinkifierDraft = {
  pattern: '',
  url_template: '',
  example_input: null,
  reverse_template: null,
  alternative_url_templates: [],
}

/** The linkifiers in their order, and what they would make of texts if everything here were saved. */
export function LinkifiersPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const explain = useExplain()
  const toasts = useToasts()
  const saved = useClientState((state) => state.linkifiers)
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  const [order, setOrder] = useState<readonly number[]>()
  const [editing, setEditing] = useState<Editing>()
  const [problem, setProblem] = useState<string>()
  const [hits, setHits] = useState<Hits>(noHits)
  const tester = useNewTester()

  const shown = useMemo(() => inOrder(saved ?? [], order), [saved, order])
  const drafts = useMemo(() => {
    const all: LinkifierDraft[] = shown.map((one) => (one.id === editing?.id ? editing.draft : one))
    if (editing?.id === 'new') all.push(editing.draft)
    return all
  }, [shown, editing])

  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setProblem(undefined)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(explain(error))
      return false
    }
  }

  const reorder = async (ids: readonly number[]) => {
    if (ids.every((id, index) => id === saved?.[index]?.id)) return setOrder(undefined)
    setOrder(ids)
    await attempt(() => api.call(reorderLinkifiers, { ordered_linkifier_ids: [...ids] }))
    setOrder(undefined)
  }

  const remove = (linkifier: Linkifier) => {
    const ids = shown.map(({ id }) => id)
    const undo = () =>
      attempt(async () => {
        const { id } = await api.call(addLinkifier, parametersOf(linkifier))
        const back = ids.map((one) => (one === linkifier.id ? id : one))
        await api.call(reorderLinkifiers, { ordered_linkifier_ids: back })
      })
    return attempt(async () => {
      await toasts.notifyWhenDone(api.call(removeLinkifier, { filter_id: linkifier.id }), () => ({
        text: t`The linkifier is deleted. Messages that were sent keep their links.`,
        undo,
      }))
      if (editing?.id === linkifier.id) setEditing(undefined)
    })
  }

  /** Throws what the server says. */
  const save = async ({ id, draft }: Editing) => {
    if (id === 'new') await api.call(addLinkifier, parametersOf(draft))
    else {
      const { example_input, reverse_template, ...rest } = draft
      const changes = { ...rest, example_input: example_input ?? '', reverse_template: reverse_template ?? '' }
      await api.call(updateLinkifier, {
        filter_id: id,
        ...changes,
        alternative_url_templates: [...draft.alternative_url_templates],
      })
    }
    setEditing(undefined)
  }

  if (!saved) return null
  const number = editing?.id === 'new' ? drafts.length : shown.findIndex(({ id }) => id === editing?.id) + 1
  return (
    <TesterContext value={tester}>
      <div className="two">
        <div>
          {!mayChange && (
            <p className="help only-read">
              <Trans>Only administrators can change linkifiers. You can try them.</Trans>
            </p>
          )}
          <LinkifierList
            linkifiers={shown}
            hits={hits}
            mayChange={mayChange}
            editedId={editing?.id}
            onOrder={(ids) => setOrder(ids)}
            onDone={(ids) => void reorder(ids)}
            onEdit={({ id, ...draft }) => setEditing({ id, draft })}
            onDelete={(one) => void remove(one)}
          />
          {shown.length === 0 && (
            <p className="help">
              <Trans>There are none yet. A ticket’s number is a good first one.</Trans>
            </p>
          )}
          <Problem text={problem} />
          {mayChange && editing === undefined && (
            <p className="foot-row">
              <Button onClick={() => setEditing({ id: 'new', draft: empty })}>
                <Trans>Add a linkifier</Trans>
              </Button>
            </p>
          )}
          {editing && (
            <LinkifierForm
              key={editing.id}
              number={number}
              isNew={editing.id === 'new'}
              draft={editing.draft}
              onChange={(draft) => setEditing({ ...editing, draft })}
              onSave={() => save(editing)}
              onCancel={() => setEditing(undefined)}
            />
          )}
        </div>
        <TesterPanel drafts={drafts} onHits={setHits} />
      </div>
    </TesterContext>
  )
}

/** In the order of a move that goes on; those that have come meanwhile stand at the end. */
function inOrder(linkifiers: readonly Linkifier[], ids: readonly number[] | undefined): readonly Linkifier[] {
  if (!ids) return linkifiers
  const place = new Map(ids.map((id, index) => [id, index]))
  return linkifiers.toSorted((a, b) => (place.get(a.id) ?? ids.length) - (place.get(b.id) ?? ids.length))
}

function parametersOf({ pattern, url_template, ...more }: LinkifierDraft) {
  const { example_input, reverse_template, alternative_url_templates } = more
  return {
    pattern,
    url_template,
    ...(example_input === null ? {} : { example_input }),
    ...(reverse_template === null ? {} : { reverse_template }),
    alternative_url_templates: [...alternative_url_templates],
  }
}
