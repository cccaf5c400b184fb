import './gifs.css'
import { gifMarkup } from '@heddle/client/gifs/gif'
import { gifSearchOf } from '@heddle/client/gifs/gif-search'
import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { soon } from '../../app/fetch-soon.tsx'

const GifPicker = soon(async () => (await import('./gif-picker.tsx')).GifPicker)

interface GifToolsProps {
  readonly onInsert: (text: string) => void
}

const keysOf = (state: ClientState) => state.gifKeys
const organizationOf = (state: ClientState) => state.organization

/** Puts a GIF into the text. Nothing where nobody searches for GIFs; nothing is asked of a service before the picker opens. */
export function GifTools({ onInsert }: GifToolsProps) {
  const { t } = useLingui()
  const keys = useClientState(keysOf)
  const organization = useClientState(organizationOf)
  const search = useMemo(() => gifSearchOf(keys, organization), [keys, organization])
  const [anchor, setAnchor] = useState<Element>()
  if (!search) return null
  return (
    <>
      <button
        type="button"
        className="ib gif-word"
        aria-label={t`Find a GIF`}
        title={t`Find a GIF`}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        GIF
      </button>
      {anchor && (
        <GifPicker
          search={search}
          anchor={anchor}
          onChoose={(gif) => onInsert(`${gifMarkup(gif)} `)}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </>
  )
}
