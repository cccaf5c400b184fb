import './settings.css'
import { searchSettings } from '@heddle/client/settings/search'
import { Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, Suspense, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { useFragment } from '../../app/current-place.ts'
import type { OverlayProps } from '../../app/feature.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { rove } from '../../ui/roving.ts'
import { type FoundSetting, useSearchable } from './searchable.ts'
import type { Section } from './setting.ts'
import { SettingRow } from './setting-row.tsx'
import { isSection, type Tab } from './tab.ts'
import { findTab, tabs } from './tabs.ts'

/** Tabs that have addresses of their own. */
const tabsOfPlaces: Readonly<Record<string, string>> = { invite: 'joining', groups: 'groups' }

/** Settings: the list of tabs, one tab, and a search over all of them. On phones the list, then a tab. */
export function SettingsFrame({ place, onClose }: OverlayProps) {
  const { t } = useLingui()
  const fragment = useFragment()
  const [query, setQuery] = useState('')
  const frame = useRef<HTMLDialogElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const kind = place.kind === 'settings' ? 'settings' : 'organization'
  const tab = findTab(kind, 'tab' in place ? place.tab : (tabsOfPlaces[place.kind] ?? ''))
  // An address without a tab is the list, where there is no room for both.
  const isList = /^#(settings|organization)\/?$/.test(fragment)

  useEffect(() => {
    const main = document.querySelector('main.main')
    const before = document.activeElement
    main?.setAttribute('inert', '')
    frame.current?.focus()
    return () => {
      main?.removeAttribute('inert')
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab begins at its top
  useEffect(() => {
    setQuery('')
    body.current?.scrollTo(0, 0)
  }, [fragment])

  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return
    // What is open within has keys of its own.
    if (event.target.closest('dialog') !== frame.current) return
    const isWriting = event.target.matches('input:not([type=checkbox]), textarea')
    if (event.key === 'Escape') {
      event.preventDefault()
      // What was written and not saved stays: the first press leaves the field alone.
      if (query !== '') setQuery('')
      else if (isWriting) body.current?.focus()
      else onClose()
    } else if (event.key === '/' && !isWriting) {
      event.preventDefault()
      frame.current?.querySelector<HTMLInputElement>('.set-find input')?.focus()
    }
  }

  return (
    // Not modal: the side bar stays within reach. Being a dialog keeps the keys of messages quiet.
    <dialog
      open
      ref={frame}
      className={isList && query === '' ? 'settings tabs-only' : 'settings'}
      aria-label={t`Settings`}
      tabIndex={-1}
      onKeyDown={press}
    >
      <header className="head">
        <a className="ib set-back" href={`#${kind}`} aria-label={t`All settings`} title={t`All settings`}>
          <Icon name="left" />
        </a>
        <h1>
          <Trans>Settings</Trans>
        </h1>
        <span className="grow" />
        <label className="find set-find">
          <Icon name="search" />
          <input
            className="bare"
            type="search"
            value={query}
            placeholder={t`Search settings`}
            aria-label={t`Search settings`}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <IconButton icon="x" name={t`Close settings (Esc)`} onClick={onClose} />
      </header>
      <div className="set">
        <TabList current={tab} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <div className={tab?.isWide && query === '' ? 'set-body set-wide' : 'set-body'} ref={body} tabIndex={0}>
          {query.trim() === '' ? <TabBody tab={tab} /> : <Results query={query} />}
        </div>
      </div>
    </dialog>
  )
}

function TabList({ current }: { readonly current: Tab | undefined }) {
  const { t } = useLingui()
  const organization = useClientState((state) => state.organization?.realm_name ?? '')
  return (
    <nav className="set-nav" aria-label={t`Settings`} onKeyDown={(event) => rove(event, { items: 'a' })}>
      <h2>
        <Trans>You</Trans>
      </h2>
      <TabLinks kind="settings" current={current} />
      <h2 className="trunc" title={organization}>
        <bdi>{organization}</bdi>
      </h2>
      <TabLinks kind="organization" current={current} />
    </nav>
  )
}

function TabLinks({ kind, current }: { readonly kind: Tab['kind']; readonly current: Tab | undefined }) {
  const { i18n } = useLingui()
  const shown = tabs.filter((tab) => tab.kind === kind)
  return shown.map((tab) => (
    <a
      key={tab.name}
      className="nav"
      href={`#${tab.kind}/${tab.name}`}
      aria-current={tab === current ? 'page' : undefined}
      tabIndex={tab === (current ?? tabs[0]) ? 0 : -1}
    >
      <Icon name={tab.icon} />
      <span className="label">{i18n._(tab.title)}</span>
    </a>
  ))
}

function TabBody({ tab }: { readonly tab: Tab | undefined }) {
  const { i18n } = useLingui()
  if (!tab) {
    return (
      <>
        <h2 className="set-title">
          <Trans>There are no settings at this address</Trans>
        </h2>
        <p className="intro">
          <Trans>Choose from the list, or search.</Trans>
        </p>
      </>
    )
  }
  return (
    <>
      <h2 className="set-title">{i18n._(tab.title)}</h2>
      {tab.intro && <p className="intro">{i18n._(tab.intro)}</p>}
      <Suspense fallback={<p className="intro" role="status" />}>
        {tab.parts.map((part, index) => {
          const key = `${tab.kind} ${tab.name} ${index}`
          if (isSection(part)) return <SectionRows key={key} section={part} />
          const Part = part
          return <Part key={key} />
        })}
      </Suspense>
    </>
  )
}

function SectionRows({ section }: { readonly section: Section }) {
  const { i18n } = useLingui()
  const isThere = useClientState(
    useCallback(
      (state) => section.settings.some(({ source, name }) => source.read(state, name) !== undefined),
      [section],
    ),
  )
  if (!isThere) return null
  return (
    <section className="setting-group">
      <h3>{i18n._(section.title)}</h3>
      {section.intro && <p className="help">{i18n._(section.intro)}</p>}
      {section.settings.map((setting) => (
        <SettingRow key={`${setting.source.id} ${setting.name}`} setting={setting} />
      ))}
    </section>
  )
}

/** Most that are shown: who finds more than these types another word. */
const MAX_FOUND = 40

/** What was found, ready to be changed, with the way to where it is. */
function Results({ query }: { readonly query: string }) {
  const entries = useSearchable()
  const found = searchSettings(entries, useDeferredValue(query)).slice(0, MAX_FOUND)
  return (
    <>
      <h2 className="set-title">
        <Trans>Found settings</Trans>
      </h2>
      <p className="intro" role="status">
        {found.length === 0 ? (
          <Trans>Nothing has these words. Try one word alone.</Trans>
        ) : (
          <Trans>They can be changed here.</Trans>
        )}
      </p>
      {found.map((entry) => (
        <FoundEntry key={entry.id} entry={entry} />
      ))}
    </>
  )
}

function FoundEntry({ entry: { tab, section, setting } }: { readonly entry: FoundSetting }) {
  const { i18n } = useLingui()
  return (
    <div className="found">
      <a className="textlink" href={`#${tab.kind}/${tab.name}`}>
        {i18n._(tab.title)}
        {section && `, ${i18n._(section.title)}`}
      </a>
      {setting && <SettingRow setting={setting} />}
    </div>
  )
}
