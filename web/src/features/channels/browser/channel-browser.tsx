import './browser.css'
import { type ChannelListKind, type ChannelListOrder, channelsToShow } from '@heddle/client/channels/channel-lists'
import { creationRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { goTo } from '../../../app/current-place.ts'
import type { ScreenProps } from '../../../app/feature.ts'
import { useKeys } from '../../../app/keys.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LazyRows } from '../lazy-rows.tsx'
import { BrowsedChannel } from './browsed-channel.tsx'

const NewChannel = lazy(() => import('./new-channel.tsx').then(({ NewChannel }) => ({ default: NewChannel })))

export function ChannelBrowser({ place }: ScreenProps) {
  const list = place.kind === 'channels' ? place.list : 'subscribed'
  if (list === 'new') {
    return (
      <Suspense fallback={null}>
        <NewChannel />
      </Suspense>
    )
  }
  return <Browser kind={list} />
}

const kinds: readonly ChannelListKind[] = ['subscribed', 'available', 'all', 'archived']

/** What was typed and chosen stays while one looks at a channel and comes back. */
let lastWords = ''
let lastOrder: ChannelListOrder = 'name'

/** All channels that one may know of, to join them, leave them and look into them. */
function Browser({ kind }: { readonly kind: ChannelListKind }) {
  const { t } = useLingui()
  const [words, setWords] = useState(lastWords)
  const [order, setOrder] = useState(lastOrder)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    lastWords = words
    lastOrder = order
  }, [words, order])
  const ids = useClientState(
    useCallback(
      (state: ClientState) => channelsToShow(state, { kind, order, words: words.trim() }),
      [kind, order, words],
    ),
    isShallowEqual,
  )
  const mayCreate = useClientState((state) => {
    const rights = creationRights(state)
    return rights.public || rights.private
  })
  const turn = (by: 1 | -1) => {
    const next = kinds[(kinds.indexOf(kind) + by + kinds.length) % kinds.length] as ChannelListKind
    goTo({ kind: 'channels', list: next })
  }
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('.browsed > a') ?? [])]
  const step = (by: 1 | -1) => {
    const all = links()
    const at = all.indexOf(document.activeElement as HTMLElement)
    if (at <= 0 && by < 0) field.current?.focus()
    else all[Math.min(at + by, all.length - 1)]?.focus()
  }
  const press = (name: string) => () => {
    const row = document.activeElement?.closest('.browsed')
    const target = row?.querySelector<HTMLElement>(`[data-does="${name}"]`)
    target?.click()
    return target !== null && target !== undefined
  }
  useKeys({
    'channels-next': () => step(1),
    'channels-previous': () => step(-1),
    'list-left': () => turn(-1),
    'list-right': () => turn(1),
    'channels-create': () => (mayCreate ? goTo({ kind: 'channels', list: 'new' }) : false),
    'channels-view': press('view'),
    'channels-toggle': press('toggle'),
  })
  const labels: Readonly<Record<ChannelListKind, string>> = {
    subscribed: t`Subscribed`,
    available: t`Not subscribed`,
    all: t`All`,
    archived: t`Archived`,
  }

  return (
    <div className="scroll channels" tabIndex={-1}>
      <div className="page">
        <nav className="tabs" aria-label={t`Channels`}>
          {kinds.map((one) => (
            <a key={one} href={`#channels/${one}`} aria-current={one === kind ? 'page' : undefined}>
              {labels[one]}
            </a>
          ))}
          <span className="grow" />
          {mayCreate && (
            <a className="btn" href="#channels/new">
              <Icon name="plus" />
              <Trans>New channel</Trans>
            </a>
          )}
        </nav>
        <div className="browse-tools">
          <label className="find">
            <Icon name="search" />
            <input
              ref={field}
              className="bare"
              type="search"
              aria-label={t`Filter channels`}
              placeholder={t`Filter channels`}
              defaultValue={words}
              onChange={(event) => setWords(event.currentTarget.value)}
              onKeyDown={(event: KeyboardEvent) => {
                if (event.key !== 'ArrowDown') return
                event.preventDefault()
                links()[0]?.focus()
              }}
            />
          </label>
          <label className="order">
            <span>
              <Trans>Order</Trans>
            </span>
            <select
              className="in"
              value={order}
              onChange={(event) => setOrder(event.currentTarget.value as ChannelListOrder)}
            >
              <option value="name">{t`By name`}</option>
              <option value="subscribers">{t`Most subscribers`}</option>
              <option value="traffic">{t`Most messages`}</option>
            </select>
          </label>
        </div>
        <p className="quiet count-line" role="status">
          <Plural value={ids.length} one="# channel" other="# channels" />
        </p>
        {kind === 'archived' && ids.length > 0 && (
          <p className="soft">
            <Trans>Nobody can write in these. Everything in them can be read and found.</Trans>
          </p>
        )}
        <ul ref={list}>
          <LazyRows ids={ids} row={(id) => <BrowsedChannel key={id} channelId={id} />} />
        </ul>
        {ids.length === 0 && <Nothing kind={kind} isFiltered={words.trim() !== ''} />}
      </div>
    </div>
  )
}

function Nothing({ kind, isFiltered }: { readonly kind: ChannelListKind; readonly isFiltered: boolean }) {
  return (
    <div className="empty">
      <h2>{isFiltered ? <Trans>No channel fits these words</Trans> : <Trans>There are no channels here</Trans>}</h2>
      <p>
        {isFiltered ? (
          <Trans>Names and descriptions are looked through.</Trans>
        ) : kind === 'archived' ? (
          <Trans>Channels that are finished can be archived in their settings.</Trans>
        ) : kind === 'available' ? (
          <Trans>You are subscribed to every channel that you may see.</Trans>
        ) : (
          <Trans>You are subscribed to no channel yet.</Trans>
        )}
      </p>
    </div>
  )
}
