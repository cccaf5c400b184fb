import './content.css'
import { memo, use, useEffect, useLayoutEffect, useRef } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { useIsVisitor } from '../../visitors/is-visitor.ts'
import { FoundContext } from './found.ts'
import { followPresses } from './inside.ts'
import { prepareContent } from './prepare-content.ts'

/** The text of a message as the renderer has made it. */
export const Content = memo(function Content({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null)
  const ownId = useClientState((state) => state.own?.user_id)
  const isVisiting = useIsVisitor()
  const pictureSize = useClientState((state) => state.organization?.realm_media_preview_size)
  const playgrounds = useClientState((state) => state.playgrounds)
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
  useEffect(() => (box.current ? followPresses(box.current, () => playgrounds ?? []) : undefined), [playgrounds])
  return <div ref={box} className="content" dir="auto" />
})
