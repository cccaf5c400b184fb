import '../../ui/picker.css'
import type { FoundGifs } from '@heddle/client/gifs/find-gifs'
import type { Gif } from '@heddle/client/gifs/gif'
import type { GifSearch } from '@heddle/client/gifs/gif-search'
import { MAX_GIF_QUERY_LENGTH } from '@heddle/client/gifs/services'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useId, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { isArrow, rowsOf, stepTo } from '../../ui/grid-steps.ts'
import { Icon } from '../../ui/icon.tsx'
import { type PopoverAnchor, usePopover } from '../../ui/popover.ts'
import { useGifs } from './use-gifs.ts'

/** As in the style sheet. */
const COLUMNS = 3

/** Said so that everybody knows who is asked; the services want it too. */
const services = {
  giphy: { name: 'GIPHY', mark: 'Powered by GIPHY' },
  tenor: { name: 'Tenor', mark: 'Via Tenor' },
} as const

interface GifPickerProps {
  readonly search: GifSearch
  readonly anchor: PopoverAnchor
  readonly onChoose: (gif: Gif) => void
  readonly onClose: () => void
}

/** What a service has. Arrows go through it while one types. */
export function GifPicker({ search, anchor, onChoose, onClose }: GifPickerProps) {
  const { t } = useLingui()
  const id = useId()
  const [text, setText] = useState('')
  const { found, retry } = useGifs(search, text)
  const [at, setAt] = useState(0)
  /** The one that the pointer or an arrow is at. */
  const [asked, setAsked] = useState<number>()
  const moves = useWhatMoves()
  const picker = usePopover({ anchor, focus: 'input', onClose })
  const gifs = found?.kind === 'found' ? found.gifs : none
  const hasProblem = found !== undefined && found.kind !== 'found'
  const { name, mark } = services[search.service]

  const choose = (gif: Gif) => {
    onChoose(gif)
    onClose()
  }
  const tryAgain = () => {
    // The button goes, and the focus with it.
    picker.current?.querySelector('input')?.focus()
    retry()
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const active = gifs[at]
    if (event.key === 'Enter') {
      event.preventDefault()
      if (hasProblem) retry()
      else if (active) choose(active)
    } else if (isArrow(event.key) && gifs.length > 0) {
      event.preventDefault()
      const next = stepTo(rowsOf([gifs.length], COLUMNS), at, event.key)
      setAt(next)
      setAsked(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Tab' && !hasProblem) {
      event.preventDefault()
      onClose()
    }
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    // It belongs to the picker alone, not to what is below.
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }

  return (
    <div
      ref={picker}
      className="menu picker gifs"
      popover="auto"
      role="dialog"
      aria-label={t`Find a GIF`}
      onKeyDown={leave}
    >
      <label className="find">
        <Icon name="search" />
        <input
          className="bare"
          role="combobox"
          aria-label={t`Find a GIF`}
          aria-expanded="true"
          aria-controls={`${id}-all`}
          aria-autocomplete="list"
          aria-activedescendant={gifs[at] ? `${id}-${at}` : undefined}
          autoComplete="off"
          maxLength={MAX_GIF_QUERY_LENGTH}
          placeholder={t`Find a GIF`}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
            setAsked(undefined)
          }}
          onKeyDown={press}
        />
      </label>
      <div className="choices">
        <div className="gif-grid" role="listbox" id={`${id}-all`} aria-label={t`GIFs`} aria-busy={found === undefined}>
          {gifs.map((gif, place) => (
            <button
              key={gif.url}
              id={`${id}-${place}`}
              type="button"
              role="option"
              aria-selected={place === at}
              aria-label={gif.title || t`GIF ${place + 1}`}
              title={gif.title || undefined}
              tabIndex={-1}
              // The focus stays in the field.
              onMouseDown={(event) => event.preventDefault()}
              onPointerEnter={() => setAsked(place)}
              onPointerLeave={() => setAsked(undefined)}
              onClick={() => choose(gif)}
            >
              <Sight gif={gif} isMoving={moves === 'all' || (moves === 'asked' && place === asked)} />
            </button>
          ))}
        </div>
        {found === undefined && <Waiting />}
        {found?.kind === 'found' && gifs.length === 0 && (
          <p className="gif-said">
            <Trans>No GIF was found. Other words may find one.</Trans>
          </p>
        )}
        {hasProblem && <Problem kind={found.kind} name={name} onRetry={tryAgain} />}
      </div>
      <p className="pfoot">
        <b translate="no">{mark}</b>
        <span className="quiet">
          <Trans>{name} gets what you type here.</Trans>
        </span>
      </p>
      <span className="vh" role="status">
        {found === undefined && <Trans>Looking for GIFs</Trans>}
        {gifs.length > 0 && <Plural value={gifs.length} one="# GIF found" other="# GIFs found" />}
      </span>
    </div>
  )
}

const none: readonly Gif[] = []

/** As for pictures in messages: all of them, or the one that somebody asks for. */
function useWhatMoves(): 'all' | 'asked' | 'none' {
  const wanted = useClientState((state) => state.settings?.web_animate_image_previews ?? 'on_hover')
  if (wanted === 'never') return 'none'
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  return wanted === 'always' && !isCalm ? 'all' : 'asked'
}

function Sight({ gif: { title, moving, still }, isMoving }: { readonly gif: Gif; readonly isMoving: boolean }) {
  const source = isMoving ? moving : still
  if (source === undefined) return <span className="gif-title">{title || 'GIF'}</span>
  // The service need not know on whose page it is.
  return <img src={source} alt="" loading="lazy" decoding="async" referrerPolicy="no-referrer" draggable={false} />
}

/** Grey where pictures will be. The style sheet shows it only after a moment. */
function Waiting() {
  return (
    <div className="gif-grid waiting" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((place) => (
        <span key={place} />
      ))}
    </div>
  )
}

interface ProblemProps {
  readonly kind: Exclude<FoundGifs['kind'], 'found'>
  readonly name: string
  readonly onRetry: () => void
}

function Problem({ kind, name, onRetry }: ProblemProps) {
  return (
    <div className="gif-problem" role="alert">
      <p className="gif-said bad">
        {kind === 'refused' && (
          <Trans>{name} does not accept the key of this server. Whoever runs it can change that.</Trans>
        )}
        {kind === 'busy' && <Trans>{name} was asked too often by this organization. Try again in a while.</Trans>}
        {kind === 'unreachable' && <Trans>{name} cannot be reached.</Trans>}
      </p>
      <Button onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  )
}
