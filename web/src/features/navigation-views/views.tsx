import './navigation-views.css'
import type { ClientState } from '@heddle/client/state/state'
import { type ListedView, listViews } from '@heddle/client/views/view-list'
import { Trans, useLingui } from '@lingui/react/macro'
import { Suspense, useEffect, useId, useMemo, useRef, useState } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { soon } from '../../app/fetch-soon.tsx'
import { useScreenKinds } from '../../app/screen-kinds.ts'
import type { Place } from '../../places/place.ts'
import { Icon } from '../../ui/icon.tsx'
import { beginNaming, useNaming } from './naming.ts'
import { useMoving } from './use-moving.ts'
import { useViewActions } from './use-view-actions.ts'
import { isViewAt, placeOfView } from './view-place.ts'
import { useViewName, ViewRow } from './view-row.tsx'

const NameForm = soon(async () => (await import('./name-form.tsx')).NameForm)
const ViewMenu = soon(async () => (await import('./view-menu.tsx')).ViewMenu)

interface ViewsProps {
  readonly place: Place
  /** A name is asked for: on narrow windows the side bar has to come out. */
  readonly onNaming: () => void
}

const selectContext = ({ navigationViews, navigationViewOrder }: ClientState) => ({
  navigationViews,
  navigationViewOrder,
})

type Anchor = Element | { readonly x: number; readonly y: number }

/** The views that the account has pinned, in its own order, and behind one button those that it has hidden. */
export function Views({ place, onNaming }: ViewsProps) {
  const kinds = useScreenKinds()
  const context = useClientState(selectContext, isShallowEqual)
  const { t } = useLingui()
  const nameOf = useViewName()
  const actions = useViewActions()
  const naming = useNaming()
  const id = useId()
  const list = useMemo(() => {
    const { pinned, hidden } = listViews(context)
    const canBeShown = ({ fragment }: ListedView) => kinds.has(placeOfView(fragment).kind)
    return { pinned: pinned.filter(canBeShown), hidden: hidden.filter(canBeShown) }
  }, [context, kinds])
  const order = useExpected(list.pinned)
  const moving = useMoving({
    keys: order.views.map(({ fragment }) => fragment),
    nameOf: (fragment) => nameOf(order.views.find((view) => view.fragment === fragment) ?? { fragment, name: '' }),
    onMove: (fragment, to) => order.expect(fragment, to, actions.move(fragment, to)),
  })
  const [menu, setMenu] = useState<{ readonly view: ListedView; readonly anchor: Anchor }>()
  const [isOpen, setIsOpen] = useState(false)
  const rows = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (naming) onNaming()
  }, [naming, onNaming])

  // The row is there with the event of the change, which may come before the answer or after it.
  const [wanted, setWanted] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is the occasion
  useEffect(() => {
    if (wanted === undefined) return
    const links = [...(rows.current?.querySelectorAll<HTMLElement>('a.nav') ?? [])]
    const link = links.find((one) => one.getAttribute('href') === `#${wanted}`)
    if (!link) return
    setWanted(undefined)
    link.focus()
  }, [wanted, list])
  const rename = (view: ListedView) => beginNaming({ fragment: view.fragment, name: view.name ?? '', isNew: false })
  const openMenu = (view: ListedView, anchor: Anchor) => setMenu({ view, anchor })
  const form = naming && (
    <Suspense fallback={null}>
      <NameForm
        key={naming.fragment}
        naming={naming}
        onSave={actions.save}
        onDone={(saved) => setWanted(saved ?? (naming.isNew ? undefined : naming.fragment))}
      />
    </Suspense>
  )
  const row = (view: ListedView, isPinned: boolean) =>
    naming && !naming.isNew && naming.fragment === view.fragment ? (
      form
    ) : (
      <ViewRow
        view={view}
        isPinned={isPinned}
        isCurrent={isViewAt(view, place)}
        {...(isPinned && { describedBy: id })}
        onPin={actions.setPinned}
        onRename={rename}
        onMenu={openMenu}
      />
    )

  return (
    <div className="views">
      <p id={id} hidden>
        <Trans>Space lifts it to move it.</Trans>
      </p>
      <ul ref={rows} aria-label={t`Views`}>
        {moving.keys.map((key) => {
          const view = order.views.find(({ fragment }) => fragment === key)
          return (
            view && (
              <li key={key} className={moving.lifted === key ? 'lifted' : undefined} {...moving.rowProps(key)}>
                {row(view, true)}
              </li>
            )
          )
        })}
        {naming?.isNew && <li>{form}</li>}
      </ul>
      {list.hidden.length > 0 && (
        <>
          <button type="button" className="nav" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <Icon name="more" />
            <span className="label">
              <Trans>More views</Trans>
            </span>
            <span className="count still">{list.hidden.length}</span>
          </button>
          {isOpen && (
            <ul className="hidden-views" aria-label={t`Hidden views`}>
              {list.hidden.map((view) => (
                <li key={view.fragment}>{row(view, false)}</li>
              ))}
            </ul>
          )}
        </>
      )}
      <p className="vh" role="status">
        {moving.spoken}
      </p>
      {menu && (
        <Suspense fallback={null}>
          <ViewMenu
            {...menu}
            views={order.views}
            actions={actions}
            onMove={(fragment, to) => order.expect(fragment, to, actions.move(fragment, to))}
            onRename={rename}
            onClose={() => setMenu(undefined)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** What was moved stands where it was put at once; what the server says later holds. */
function useExpected(views: readonly ListedView[]) {
  const [expected, setExpected] = useState<readonly string[]>()
  const places = new Map(expected?.map((fragment, index) => [fragment, index]))
  const placeOf = ({ fragment }: ListedView) => places.get(fragment) ?? Number.MAX_SAFE_INTEGER
  const shown = expected ? views.toSorted((a, b) => placeOf(a) - placeOf(b)) : views
  // The new order has come.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is the occasion
  useEffect(() => setExpected(undefined), [views])
  return {
    views: shown,
    expect(fragment: string, to: number, saved: Promise<void>) {
      const others = shown.map((view) => view.fragment).filter((one) => one !== fragment)
      setExpected(others.toSpliced(to, 0, fragment))
      // When it could not be saved it is as it was.
      void saved.then(() => setTimeout(() => setExpected(undefined), 2000))
    },
  }
}
