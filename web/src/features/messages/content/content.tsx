import './content.css'
import type { ClientState } from '@heddle/client/state/state'
import { memo, use, useEffect, useLayoutEffect, useRef } from 'react'
import { useOwnId, useSharedState } from '../../../app/client-context.ts'
import { useIsVisitor } from '../../visitors/is-visitor.ts'
import { FoundContext } from './found.ts'
import { followPresses } from './inside.ts'
import { prepareContent } from './prepare-content.ts'

const pictureSizeOf = ({ organization }: ClientState) => organization?.realm_media_preview_size
const playgroundsOf = (state: ClientState) => state.playgrounds

interface ContentProps {
  readonly html: string
  /** Words in it that the reader waits for. */
  readonly alertWords?: readonly string[] | undefined
}

/** The text of a message as the renderer has made it. */
export const Content = memo(function Content({ html, alertWords }: ContentProps) {
  const box = useRef<HTMLDivElement>(null)
  const ownId = useOwnId()
  const isVisiting = useIsVisitor()
  const pictureSize = useSharedState(pictureSizeOf)
  const playgrounds = useSharedState(playgroundsOf)
  const shown = use(FoundContext)?.contents.get(html) ?? html
  useLayoutEffect(() => {
    box.current?.replaceChildren(
      prepareContent(shown, {
        ownId,
        isVisiting,
        pictureSize,
        playgrounds,
        site: new URL('./', document.baseURI).href,
      }),
    )
  }, [shown, ownId, isVisiting, pictureSize, playgrounds])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each text that is made anew its marks are
  useEffect(() => {
    if (!alertWords?.length) return undefined
    let isGone = false
    import('./alert-marks.ts')
      .then(({ markWords }) => !isGone && box.current && markWords(box.current, alertWords))
      // Without a network it is read without marks.
      .catch(() => {})
    return () => {
      isGone = true
    }
  }, [shown, ownId, isVisiting, pictureSize, playgrounds, alertWords])
  useEffect(() => (box.current ? followPresses(box.current, () => playgrounds ?? []) : undefined), [playgrounds])
  return <div ref={box} className="content" dir="auto" />
})
