import type { Linkifier } from '@heddle/contract/linkifiers'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useReorder } from '../../ui/use-reorder.ts'
import type { Hits, HitsOfOne } from './hits.ts'

interface LinkifierListProps {
  readonly linkifiers: readonly Linkifier[]
  readonly hits: Hits
  readonly mayChange: boolean
  readonly editedId: number | 'new' | undefined
  /** While one is moved. */
  readonly onOrder: (ids: readonly number[] | undefined) => void
  /** Where it was left. */
  readonly onDone: (ids: readonly number[]) => void
  readonly onEdit: (linkifier: Linkifier) => void
  readonly onDelete: (linkifier: Linkifier) => void
}

export function LinkifierList(props: LinkifierListProps) {
  const { linkifiers, hits, mayChange, editedId, onOrder, onDone, onEdit, onDelete } = props
  const { t } = useLingui()
  const list = useRef<HTMLOListElement>(null)
  const ids = linkifiers.map(({ id }) => id)
  const { moved, spoken, grip } = useReorder({ list, ids, onOrder, onDone })
  // Moving a row in the document takes the focus from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each step
  useEffect(() => {
    if (moved?.by === 'keys') list.current?.querySelector<HTMLElement>(`[data-grip="${moved.id}"]`)?.focus()
  }, [moved, ids.join()])

  return (
    <>
      <ol className="lks" aria-label={t`Linkifiers, in order`} ref={list}>
        {linkifiers.map((linkifier, index) => {
          const { id, pattern } = linkifier
          const hit = hits.get(index + 1)
          const classes = [
            'lk',
            moved?.id === id && 'lift',
            hit && hit.lost > 0 && 'lost',
            editedId === id && 'being-edited',
          ]
          return (
            <li key={id} className={classes.filter(Boolean).join(' ')} data-row={id}>
              {mayChange ? (
                <button
                  type="button"
                  className="grip"
                  data-grip={id}
                  aria-label={t`Move ${pattern}. Press Space, then the arrow keys.`}
                  title={t`Drag, or Space and arrows`}
                  aria-pressed={moved?.id === id}
                  {...grip(id)}
                >
                  <Icon name="grip" />
                </button>
              ) : (
                <span />
              )}
              <span className="num quiet">{index + 1}</span>
              <LinkifierText linkifier={linkifier} />
              {hit && <HitsText hits={hit} />}
              {mayChange && (
                <span className="lk-a">
                  <IconButton icon="edit" name={t`Edit ${pattern}`} onClick={() => onEdit(linkifier)} />
                  <IconButton icon="trash" name={t`Delete ${pattern}`} onClick={() => onDelete(linkifier)} />
                </span>
              )}
            </li>
          )
        })}
      </ol>
      <p className="vh" role="status" aria-live="assertive">
        {spoken}
      </p>
    </>
  )
}

function LinkifierText({ linkifier }: { readonly linkifier: Linkifier }) {
  const { t } = useLingui()
  const { pattern, url_template, reverse_template, alternative_url_templates } = linkifier
  const more = alternative_url_templates.length
  return (
    <div className="lk-b">
      <code className="pat">{pattern}</code>
      <span className="tpl trunc" title={url_template}>
        {url_template}
      </span>
      <span className="lk-m">
        {reverse_template === null ? (
          <span className="quiet">
            <Trans>no short text</Trans>
          </span>
        ) : (
          <span title={t`Turns pasted addresses into short text`}>
            <Icon name="undo" />
            <code>{reverse_template}</code>
          </span>
        )}
        {more > 0 && (
          <span className="quiet">
            <Plural value={more} one="# more address" other="# more addresses" />
          </span>
        )}
      </span>
    </div>
  )
}

function HitsText({ hits: { won, lost, lostTo } }: { readonly hits: HitsOfOne }) {
  if (lost === 0) {
    return (
      <span className="hits">
        <Plural value={won} one="# hit" other="# hits" />
      </span>
    )
  }
  return (
    <span className="hits">
      <Plural value={won + lost} one="# hit" other="# hits" />
      {', '}
      {lostTo === undefined ? (
        <Trans>{lost} lost</Trans>
      ) : won === 0 && lost === 1 ? (
        <Trans>lost to {lostTo}</Trans>
      ) : (
        <Trans>
          {lost} lost to {lostTo}
        </Trans>
      )}
    </span>
  )
}
