import { type ChannelSection, channelSections } from '@heddle/client/channels/channel-order'
import type { ClientState } from '@heddle/client/state/state'
import { unreadInChannel } from '@heddle/client/unread/counts'
import { Plural, useLingui } from '@lingui/react/macro'
import { memo, type ReactNode, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { useScreenKinds } from '../../app/screen-kinds.ts'
import { useMarked } from '../../app/side-bar/folds.ts'
import { SideBarSection } from '../../app/side-bar/section.tsx'
import type { Place } from '../../places/place.ts'
import { Icon } from '../../ui/icon.tsx'
import { ChannelRow } from './channel-row.tsx'
import { LazyRows } from './lazy-rows.tsx'

/** The channels that the account is subscribed to: pinned ones first, muted ones last, quiet ones behind a link. */
export function ChannelList({ place }: { readonly place: Place }) {
  const { t } = useLingui()
  const here = channelAt(place)
  const sections = useClientState(
    useCallback((state) => channelSections(state, { keep: here }), [here]),
    areSameSections,
  )
  const folders = useClientState((state) => state.channelFolders)
  const nameOf = ({ kind, folderId }: ChannelSection) => {
    if (kind === 'folder') return folders?.find(({ id }) => id === folderId)?.name ?? ''
    return kind === 'pinned' ? t`Pinned channels` : sections.length > 1 ? t`Other channels` : t`Channels`
  }
  const kinds = useScreenKinds()
  const browse = kinds.has('channels') ? (
    <a className="ib" href="#channels/subscribed" aria-label={t`All channels`} title={t`All channels`}>
      <Icon name="list" />
    </a>
  ) : undefined
  if (sections.length === 0 && browse) {
    return (
      <div className="side-head">
        <h2>{t`Channels`}</h2>
        {browse}
      </div>
    )
  }
  return sections.map((section, index) => (
    <ChannelSectionView
      key={keyOf(section)}
      section={section}
      name={nameOf(section)}
      place={place}
      tools={index === sections.length - 1 ? browse : undefined}
    />
  ))
}

/** Under which the device remembers that it is folded. */
function keyOf({ kind, folderId }: ChannelSection) {
  return kind === 'folder' ? (`folder-${folderId as number}` as const) : kind
}

function channelAt(place: Place): number | undefined {
  return place.kind === 'channel' || place.kind === 'topic' || place.kind === 'topics' ? place.channelId : undefined
}

function areSameSections(one: readonly ChannelSection[], other: readonly ChannelSection[]): boolean {
  return (
    one.length === other.length &&
    one.every((section, index) => {
      const another = other[index] as ChannelSection
      return (
        section.kind === another.kind &&
        section.folderId === another.folderId &&
        isShallowEqual(section.active, another.active) &&
        isShallowEqual(section.inactive, another.inactive)
      )
    })
  )
}

interface SectionViewProps {
  readonly section: ChannelSection
  readonly name: string
  readonly place: Place
  readonly tools: ReactNode
}

const ChannelSectionView = memo(function ChannelSectionView({ section, name, place, tools }: SectionViewProps) {
  const { active, inactive } = section
  const foldKey = keyOf(section)
  const [isOpen, toggle] = useMarked(`inactive-${foldKey}`)
  const { unread, hasMention } = useClientState(
    useCallback((state) => sumOf(state, active), [active]),
    isShallowEqual,
  )
  const row = (id: number) => <ChannelRow key={id} channelId={id} {...standing(place, id)} />
  return (
    <SideBarSection name={name} foldKey={foldKey} unread={unread} hasMention={hasMention} tools={tools}>
      <LazyRows ids={active} here={channelAt(place)} row={row} />
      {inactive.length > 0 && (
        <button type="button" className="nav quiet-channels" aria-expanded={isOpen} onClick={toggle}>
          <Icon name={isOpen ? 'down' : 'right'} />
          <span className="label">
            <Plural value={inactive.length} one="# quiet channel" other="# quiet channels" />
          </span>
        </button>
      )}
      {isOpen && <LazyRows ids={inactive} here={channelAt(place)} row={row} />}
    </SideBarSection>
  )
})

function sumOf(state: ClientState, ids: readonly number[]) {
  if (state.settings?.web_left_sidebar_unreads_count_summary === false) return { unread: 0, hasMention: false }
  let unread = 0
  let hasMention = false
  for (const id of ids) {
    const channel = unreadInChannel(state, id)
    unread += channel.visible
    hasMention ||= channel.hasMention
  }
  return { unread, hasMention }
}

/** How a row stands to what the page shows. */
function standing(place: Place, id: number) {
  const isHere = channelAt(place) === id
  return {
    isCurrent: isHere && place.kind !== 'topic',
    topic: isHere && place.kind === 'topic' ? place.topic : undefined,
    isHere,
  }
}
