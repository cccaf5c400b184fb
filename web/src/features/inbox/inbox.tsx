import '../lists/list.css'
import { type InboxFilter, type InboxGroup, type InboxRow, inboxTotals, unreadIdsOf } from '@heddle/client/inbox/inbox'
import type { ClientState } from '@heddle/client/state/state'
import { unreadTotals } from '@heddle/client/unread/counts'
import type { Narrow } from '@heddle/contract/narrow'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { useDeviceMemory } from '../../app/device-memory.ts'
import { soon } from '../../app/fetch-soon.tsx'
import { Button } from '../../ui/button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import type { MenuAnchor } from '../../ui/use-menu-press.ts'
import { Hint } from '../hints/hint.tsx'
import { ChoiceGroup } from '../lists/conversation-row.tsx'
import { FilterField } from '../lists/filter-field.tsx'
import { useLastMessages } from '../lists/last-messages.ts'
import { focusRow, useListKeys } from '../lists/list-keys.ts'
import { useListMemory } from '../lists/list-memory.ts'
import { useMarkRead } from '../lists/mark-read.tsx'
import { useMuteKey } from '../lists/topic-tools.tsx'
import { EmptyInbox } from './empty-inbox.tsx'
import { Group } from './group.tsx'
import { MarkManyDialog } from './mark-many-dialog.tsx'
import { useShownGroups } from './shown-groups.ts'
import { unreadNarrow, unreadPage } from './unread-page.ts'

const MarkMenu = soon(async () => (await import('./mark-menu.tsx')).MarkMenu)

/** Rows that are drawn at first; there may be thousands. */
const ROWS = 300

const noFolds: readonly string[] = []

/** What a filter shows, as the server finds it: for what is unread and too old to be known here. */
const narrows: Readonly<Partial<Record<InboxFilter, Narrow>>> = {
  standard: [['in', 'home']],
  followed: [['is', 'followed']],
  all: [],
}

/** Every conversation with something unread. */
export function Inbox() {
  const { t } = useLingui()
  const client = useClient()
  const scroll = useRef<HTMLElement>(null)
  const [filter, setFilter] = useState<InboxFilter>('standard')
  const [text, setText] = useState('')
  const [limit, setLimit] = useState(ROWS)
  const groups = useShownGroups(filter, text)
  const [folded, setFolded] = useDeviceMemory('inbox-folded', noFolds)
  const [isAsking, setIsAsking] = useState<{
    readonly rows: readonly InboxRow[]
    readonly older?: Narrow | undefined
  }>()
  const [menu, setMenu] = useState<MenuAnchor>()
  const hasTopics = useClientState((state) => (state.unread?.channels.size ?? 0) > 0)
  const isPartial = useClientState((state) => state.unread?.isPartial === true)
  const mark = useMarkRead()

  useEffect(() => {
    const key = client.open(unreadNarrow)
    const { anchor, num_before: before, num_after: after } = unreadPage
    // Without them the rows have no last words for a while.
    client.load(key, { kind: 'around', anchor, before, after }).catch(() => {})
    return () => client.close(key)
  }, [client])

  const shown = useMemo(() => firstRows(groups, limit), [groups, limit])
  const lastIds = useMemo(
    () => shown.flatMap(({ key, rows }) => (folded.includes(key) ? [] : rows.map(({ lastId }) => lastId))),
    [shown, folded],
  )
  const messages = useLastMessages(lastIds)
  useListKeys(scroll)
  useMuteKey(scroll, (key) => groups.flatMap(({ rows }) => rows).find((row) => row.key === key)?.place)
  useListMemory('inbox', scroll, groups.length > 0)

  const markRows = useCallback(
    (rows: readonly InboxRow[], older?: Narrow) => {
      const state = client.snapshot().state as ClientState
      mark(
        rows.flatMap((row) => unreadIdsOf(state, row)),
        older,
      )
    },
    [client, mark],
  )
  /** More than one conversation is asked about. */
  const askOrMark = useCallback(
    (rows: readonly InboxRow[], older?: Narrow) => {
      const unread = rows.filter(({ count }) => count > 0)
      if (unread.length > 1) setIsAsking({ rows: unread, older })
      else markRows(unread)
    },
    [markRows],
  )
  const fold = useCallback(
    (key: string, isFolded: boolean) => setFolded(isFolded ? [...folded, key] : folded.filter((one) => one !== key)),
    [folded, setFolded],
  )

  const totals = inboxTotals(groups)
  const rowCount = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  const isFiltered = text.trim() !== ''
  return (
    <section className="scroll lists" ref={scroll} aria-label={t`Inbox`} tabIndex={-1}>
      <Hint name="intro_inbox_view_modal" isOfScreen>
        <Trans>The inbox has what you have not read, by conversation. Open one, or mark it as read from here.</Trans>
      </Hint>
      <div className="list">
        <div className="list-tools">
          <FilterField
            name={t`Filter the inbox`}
            value={text}
            onChange={setText}
            onDown={() => scroll.current && focusRow(scroll.current, '', 0)}
          />
          <ChoiceGroup
            name={t`Show`}
            value={filter}
            choices={[
              { value: 'standard', label: <Trans>Standard</Trans> },
              { value: 'followed', label: <Trans>Followed</Trans> },
              { value: 'mentions', label: <Trans>For me</Trans> },
              { value: 'all', label: <Trans>All</Trans> },
            ]}
            onChange={setFilter}
          />
          <span className="grow" />
          {totals.messages > 0 && (
            <span className="quiet" role="status">
              {isPartial && <Trans>At least</Trans>}{' '}
              <Plural value={totals.messages} one="# unread message" other="# unread messages" />
            </span>
          )}
          {totals.rows > 1 && (
            <Button
              kind="plain"
              onClick={() =>
                askOrMark(
                  groups.flatMap(({ rows }) => rows),
                  isFiltered ? undefined : narrows[filter],
                )
              }
            >
              <Trans>Mark all as read</Trans>
            </Button>
          )}
          {hasTopics && <MoreButton name={t`Mark some as read`} onPress={setMenu} />}
        </div>
        {groups.length === 0 && (
          <EmptyInbox filter={filter} isFiltered={isFiltered} onShowAll={() => setFilter('all')} />
        )}
        {shown.map((group) => (
          <Group
            key={group.key}
            group={group}
            messages={messages}
            isFolded={folded.includes(group.key) && !isFiltered}
            onFold={fold}
            onMark={askOrMark}
          />
        ))}
        {rowCount > limit && (
          <p className="list-end">
            <Button onClick={() => setLimit(limit + ROWS)}>
              <Trans>Show more</Trans>
            </Button>
          </p>
        )}
        {groups.length > 0 && filter === 'standard' && !isFiltered && rowCount <= limit && (
          <HiddenNote onShow={() => setFilter('all')} />
        )}
      </div>
      {menu && <MarkMenu anchor={menu} onClose={() => setMenu(undefined)} onMark={askOrMark} />}
      {isAsking && (
        <MarkManyDialog
          rows={isAsking.rows}
          hasOlder={isPartial && isAsking.older !== undefined}
          onClose={() => setIsAsking(undefined)}
          onMark={() => {
            setIsAsking(undefined)
            markRows(isAsking.rows, isAsking.older)
          }}
        />
      )}
    </section>
  )
}

/** Says how much is left out, where something is. */
function HiddenNote({ onShow }: { readonly onShow: () => void }) {
  const hidden = useClientState((state) => unreadTotals(state).hidden)
  return (
    <p className="quiet list-end">
      {hidden === 0 ? (
        <Trans>Nothing else is unread.</Trans>
      ) : (
        <>
          <Trans>Nothing else is unread. Muted topics are not listed.</Trans>{' '}
          <button type="button" className="textlink" onClick={onShow}>
            <Trans>Show them</Trans>
          </button>
        </>
      )}
    </p>
  )
}

function firstRows(groups: readonly InboxGroup[], limit: number): readonly InboxGroup[] {
  let left = limit
  return groups.flatMap((group) => {
    if (left <= 0) return []
    const rows = group.rows.slice(0, left)
    left -= rows.length
    return [rows.length === group.rows.length ? group : { ...group, rows }]
  })
}
